// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, json, open, pay, start } from '../testing.tsx';

const card = (token_id: string, brand: string, expiration_month: string, expiration_year: string) => ({
  token_id,
  brand,
  last4: '4242',
  expiration_month,
  expiration_year,
});
/** It is 15 June 2028 in these tests. */
const old = card('old', 'VISA', '05', '2028');
const good = card('good', 'american express', '06', '28');
const chosen = () => document.querySelector<HTMLInputElement>('[name=saved_card]:checked')?.value;

describe('saved cards', () => {
  it('show their brand’s name and mark, and their past or future expiry', async () => {
    await start({ saved_cards: [old, good, card('odd', 'Kwik <Card>', '01', '2031')] });
    const rows = [...document.querySelectorAll('[name=saved_card]')].map((radio) => radio.closest('label'));
    expect(rows.map((row) => row?.textContent)).toEqual([
      'Visa ending in 4242Expired 05/28',
      'American Express ending in 4242Expires 06/28',
      'Kwik <Card> ending in 4242Expires 01/31',
      en.form.another_card,
    ]);
    expect(rows.map((row) => row?.querySelector('.mark:not(.blank)') !== null)).toEqual([true, true, false, false]);
  });

  it('choose the first valid card; an expired one may be chosen', async () => {
    await start({ saved_cards: [old, good] });
    await waitFor(() => expect(chosen()).toBe('good'));
    await userEvent.click(screen.getByRole('radio', { name: /^Visa/ }));
    await userEvent.type(field(/security code/i), '737');
    fake.answers = [() => json(approved)];
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ token_id: 'old' }));
  });

  it('that are all expired leave the new card chosen', async () => {
    await start({ saved_cards: [old] });
    await waitFor(() => expect(chosen()).toBe(''));
    expect(field(/card number/i)).toBeTruthy();
  });

  it('that cannot pay selects another card and focuses its number', async () => {
    await start({ saved_cards: [good] });
    await waitFor(() => expect(chosen()).toBe('good'));
    const result = { code: '2002', message: '' };
    fake.answers = [() => json({ status: 'declined', result, advice: 'try_another_card', attempts_left: 4 })];
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await screen.findByText(/Use another card\. /);
    expect(chosen()).toBe('');
    expect(document.activeElement).toBe(field(/card number/i));
    expect(field(/card number/i).getAttribute('aria-describedby')).toContain('field-message');
  });

  it('keep a typed card while a saved one is chosen', async () => {
    await start({ saved_cards: [good] });
    await userEvent.click(screen.getByRole('radio', { name: en.form.another_card }));
    await userEvent.type(field(/card number/i), '4111');
    await userEvent.click(screen.getByRole('radio', { name: /^American/ }));
    expect(screen.queryByLabelText(en.form.number)).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: en.form.another_card }));
    expect(field(/card number/i).value).toBe('4111');
  });
});

describe('removing a saved card', () => {
  const named = (name: string) => screen.getByRole('button', { name });
  const left = () => [...document.querySelectorAll<HTMLInputElement>('[name=saved_card]')].map(({ value }) => value);

  it('asks first, and keeps the card by default', async () => {
    await start({ saved_cards: [good] });
    await waitFor(() => expect(chosen()).toBe('good'));
    await userEvent.click(named(en.form.card_remove));
    expect(screen.getByRole('group', { name: 'Remove American Express ending in 4242?' })).toBeTruthy();
    expect(document.activeElement).toBe(named(en.form.card_keep));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(named(en.form.card_remove));
    expect(fake.told).toEqual([]);
  });

  it('removes it from the session and says so', async () => {
    await start({ saved_cards: [good, old] });
    await waitFor(() => expect(chosen()).toBe('good'));
    fake.tellAnswers = [() => json({ ...open, saved_cards: [old] })];
    await userEvent.click(named(en.form.card_remove));
    await userEvent.click(named(en.form.card_remove));
    await waitFor(() => expect(left()).toEqual(['old', '']));
    expect(fake.told).toMatchObject([{ what: 'remove-card', body: { token_id: 'good' } }]);
    expect(chosen()).toBe('');
    expect(document.activeElement?.textContent).toBe('American Express ending in 4242 was removed.');
  });

  it('says that it was not removed where no answer came', async () => {
    await start({ saved_cards: [good] });
    await waitFor(() => expect(chosen()).toBe('good'));
    await userEvent.click(named(en.form.card_remove));
    await userEvent.click(named(en.form.card_remove));
    await waitFor(() => expect(document.activeElement?.textContent).toBe(en.form.card_not_removed));
    expect(left()).toEqual(['good', '']);
    await userEvent.click(named(en.form.card_keep));
    expect(named(en.form.card_remove)).toBeTruthy();
  });
});

describe('keeping a card', () => {
  const box = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: en.form.save_card });

  it('is offered for a typed card, and never chosen by default', async () => {
    await start({ offers_saving: true, saved_cards: [good] });
    await waitFor(() => expect(chosen()).toBe('good'));
    expect(box()).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: en.form.another_card }));
    expect(box()?.checked).toBe(false);
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).not.toHaveProperty('token_flag');
  });

  it('sends the shopper’s choice, and keeps it for the next try', async () => {
    await start({ offers_saving: true });
    const asked = box();
    if (!asked) throw new Error('nothing is asked');
    await userEvent.click(asked);
    fake.answers = [() => json({ status: 'declined', advice: 'try_later', attempts_left: 3 })];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ token_flag: '1' }));
    await screen.findByText(/did not go through/);
    expect(box()?.checked).toBe(true);
  });

  it('is not sent with a saved card, or asked when not offered', async () => {
    await start({ offers_saving: true, saved_cards: [good], prefill: {} });
    await userEvent.click(screen.getByRole('radio', { name: en.form.another_card }));
    const asked = box();
    if (!asked) throw new Error('nothing is asked');
    await userEvent.click(asked);
    await userEvent.click(screen.getByRole('radio', { name: /^American/ }));
    await userEvent.type(field(/security code/i), '7373');
    fake.answers = [() => json(approved)];
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).not.toHaveProperty('token_flag');
  });

  it('is not asked if it is not offered', async () => {
    await start({ saved_cards: [] });
    expect(box()).toBeNull();
  });
});
