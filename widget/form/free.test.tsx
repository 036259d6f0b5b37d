// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import { findLanguage, languages } from '../locales/languages.ts';
import { renderCheckout } from './render.tsx';
import { approved, fake, fillCard, json, open, start } from './testing.tsx';

const subscription = { contract_name: 'Tea club', contract_amount: '49.90', interval: 'month' };
const nothing = { ...open, amount: '0.00' };
const saved = { token_id: 't1', brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2031' };
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('an amount of zero', () => {
  it('starts a free trial with a subscription', async () => {
    await start({ ...nothing, subscription });
    expect(heading()).toBe('Free trial at Demo Shop');
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'You pay nothing today',
      'R$49.90 every month',
      'No end date is set',
    ]);
    await fillCard();
    let answer = (_: Response) => {};
    fake.answers = [
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    ];
    await press('Start free trial');
    await screen.findByRole('button', { name: 'Starting…' });
    await waitFor(() => expect(fake.paid.length).toBe(1));
    answer(json(approved));
    await screen.findByRole('heading', { name: 'Your free trial has started' });
    screen.getByText('Thank you. Nothing has been charged.');
  });

  it('saves a card without a subscription', async () => {
    await start(nothing);
    expect(heading()).toBe('Your card at Demo Shop');
    await fillCard();
    fake.answers = [() => json(approved)];
    await press('Save card');
    await screen.findByRole('heading', { name: 'Your card is saved' });
    screen.getByText('Thank you. Nothing has been charged.');
  });

  it('confirms a card that is saved already', async () => {
    await start({ ...nothing, saved_cards: [saved] });
    await screen.findByRole('button', { name: 'Confirm card' });
    expect(heading()).toBe('Your card at Demo Shop');
    await userEvent.click(screen.getByRole('radio', { name: en.form.another_card }));
    screen.getByRole('button', { name: 'Save card' });
    await userEvent.click(screen.getByRole('radio', { name: /1111/ }));
    await userEvent.type(screen.getByLabelText(/security code/i), '737');
    fake.answers = [() => json(approved)];
    await press('Confirm card');
    await screen.findByRole('heading', { name: 'Your card is confirmed' });
    screen.getByText('Thank you. Nothing has been charged.');
  });

  it('starts a free trial with a saved card too', async () => {
    await start({ ...nothing, subscription, saved_cards: [saved] });
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('radio', { name: /1111/ }).checked).toBe(true));
    screen.getByRole('button', { name: 'Start free trial' });
  });

  it.each(['0', '0.000'])('may be written as %s', async (amount) => {
    await start({ ...open, currency: 'KWD', amount });
    screen.getByRole('button', { name: 'Save card' });
    expect(document.querySelector('.amount')?.textContent).toMatch(/^KWD\s0\.000$/);
  });

  it('shows no later price if the shop gives none', async () => {
    await start({ ...nothing, subscription: { interval: 'month' } });
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      'You pay nothing today',
      'No end date is set',
    ]);
  });

  it('begins and ends when the shop changes the order', async () => {
    const checkout = await start({ ...open, subscription });
    for (const [revision, amount, button] of [
      [2, '0.00', 'Start free trial'],
      [3, '49.90', 'Pay R$49.90'],
    ] as const) {
      fake.view = { ...open, subscription, revision, amount };
      await checkout.refresh();
      await screen.findByRole('button', { name: button });
    }
    expect(heading()).toBe('Pay Demo Shop');
  });
});

describe('the texts of an amount of zero', () => {
  const bootOf = (view: typeof open, locale: string) =>
    renderCheckout({ view, locales: [locale], allowed_origins: [] }).boot;

  it('are sent only with a form that may need them', () => {
    expect(bootOf(open, 'en').free).toBeUndefined();
    expect(Object.keys(bootOf(open, 'en').messages).filter((key) => /^(free|trial|keep|confirm)_/.test(key))).toEqual(
      [],
    );
    expect(bootOf({ ...open, subscription }, 'en').free?.typed).toMatchObject({ pay: en.form.trial_pay });
    const { typed, saved } = bootOf(nothing, 'en').free ?? {};
    expect(typed).toMatchObject({ pay: en.form.keep_pay, approved_text: en.form.free_approved_text });
    expect(saved).toMatchObject({ pay: en.form.confirm_pay, approved_text: en.form.free_approved_text });
  });

  it.each(Object.keys(languages))('are on the button before the script runs, in %s', (locale) => {
    const { form } = findLanguage([locale]);
    for (const [view, label] of [
      [nothing, form.keep_pay],
      [{ ...nothing, subscription }, form.trial_pay],
    ] as const) {
      document.body.innerHTML = renderCheckout({ view, locales: [locale], allowed_origins: [] }).body;
      expect(document.querySelector('[type=submit]')?.textContent).toBe(label);
    }
  });
});
