// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, fillCard, json, make, open, pay, pix, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

describe('beyond the card', () => {
  it('pays with a saved card and its security code', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    await start({ saved_cards: [saved] });
    await screen.findByLabelText(/Visa ending in 4242/);
    expect(screen.queryByLabelText(/card number/i)).toBeNull();
    fake.answers = [() => json(approved)];
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ token_id: 'tok', security_code: '737' }));
    expect(fake.paid[0]?.body).not.toHaveProperty('card');
  });

  it('keeps a field that the shopper is in when saved cards arrive', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    const checkout = make({ ...open, saved_cards: [saved] });
    render(<App checkout={checkout} />);
    const number = field(/card number/i);
    number.focus();
    await checkout.start();
    await screen.findByLabelText(/Visa ending in 4242/);
    expect(document.activeElement).toBe(number);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: en.form.another_card }).checked).toBe(true);
  });

  it('keeps chosen installments by number, wherever the shop moves them', async () => {
    const plan = (installments: string) => ({ installments });
    const checkout = await start({ installment_options: [plan('1'), plan('3'), plan('6')] });
    await userEvent.click(screen.getByRole('radio', { name: '3×' }));
    const shown = () => document.querySelector('[name=installments]:checked')?.closest('label')?.textContent;
    fake.view = { ...fake.view, revision: 2, installment_options: [plan('3'), plan('12')] };
    await checkout.refresh();
    await waitFor(() => expect(shown()).toBe('3×'));
    fake.view = { ...fake.view, revision: 3, installment_options: [plan('1'), plan('2')] };
    await checkout.refresh();
    await waitFor(() => expect(shown()).toBe('1×'));
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ installments: '1' }));
  });

  it('keeps the typed card while another method is chosen', async () => {
    await start({ methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }] });
    await fillCard();
    await userEvent.click(screen.getByLabelText('Pix'));
    expect(screen.queryByLabelText(/card number/i)).toBeNull();
    await userEvent.click(screen.getByLabelText('Card'));
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
  });

  it('shows subscription terms for new and saved cards, not other methods', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    const subscription = { contract_name: 'Tea club', interval: 'month' };
    await start({
      methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }],
      saved_cards: [saved],
      subscription,
    });
    const terms = () => screen.queryByRole('heading', { name: 'Subscription: Tea club' });
    expect(terms()).not.toBeNull();
    await userEvent.click(await screen.findByLabelText(/Visa ending in 4242/));
    expect(terms()).not.toBeNull();
    await userEvent.click(screen.getByLabelText('Pix'));
    expect(terms()).toBeNull();
    await userEvent.click(screen.getByLabelText(en.form.card));
    expect(terms()).not.toBeNull();
  });

  it('sends a method’s fields nested, and no card', async () => {
    await start({ methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }] });
    await fillCard();
    await userEvent.click(screen.getByLabelText('Pix'));
    fake.answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/x' })];
    await userEvent.click(button());
    expect(screen.getByText('Fill in “CPF / CNPJ”')).toBeTruthy();
    await userEvent.type(field(/CPF/), '12.ABC.345/01DE-35');
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).toEqual({
      payment_method: 'PIX',
      person: { document_number: '12ABC34501DE35' },
      revision: 1,
      device: { browser_lang: 'en' },
    });
  });

  it('prefills and sends what the shop collects, and the installments', async () => {
    await start({
      collect: ['email', 'birth_date'],
      prefill: { shopper_email: 'ada@example.com', birth_date: '10-12-1985' },
      installment_options: [{ installments: '1' }, { installments: '3', installments_id: 'i3', each: '43.30' }],
    });
    expect(field(/email/i).value).toBe('ada@example.com');
    await userEvent.click(screen.getByRole('radio', { name: /^3× R\$43.30/ }));
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).toMatchObject({
      shopper_email: 'ada@example.com',
      birth_date: '10-12-1985',
      installments: '3',
      installments_id: 'i3',
    });
  });
});
