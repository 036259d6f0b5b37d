// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { button, fake, field, make, open, start } from '../testing.tsx';
import { App } from './app.tsx';

const icon = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';
const card: PaymentMethod = { type: 'card', brands: ['elo', 'visa', 'amex', 'mir', 'troy'] };
const pix: PaymentMethod = { type: 'apm', payment_method: 'PIX', label: 'Pix', icon };
const boleto: PaymentMethod = {
  type: 'apm',
  payment_method: 'BOLETO',
  label: 'Boleto',
  fields: ['person.document_number'],
};
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const within = (element: Element) => element.closest('.option')?.querySelector('label')?.textContent?.slice(0, 4);
const marks = (place: Element | null | undefined) =>
  [...(place?.querySelectorAll('use') ?? [])].map((mark) => mark.getAttribute('href'));

describe('what a method asks for', () => {
  it('is inside it, and is kept while another is chosen', async () => {
    await start({ methods: [card, pix, boleto] });
    expect(within(field(/card number/i))).toBe('Card');
    await userEvent.type(field(/card number/i), '4111');
    await userEvent.click(radio('Boleto'));
    expect(screen.queryByLabelText(en.form.number)).toBeNull();
    expect(within(field(/^CPF/))).toBe('Bole');
    await userEvent.click(radio('Card'));
    expect(field(/card number/i).value).toBe('4111');
    expect(screen.queryByRole('textbox', { name: /^CPF/ })).toBeNull();
  });

  it('is separate from what the session asks for', async () => {
    await start({ methods: [card, boleto], collect: ['email'] });
    expect(within(field(/email/i))).toBeUndefined();
    await userEvent.click(radio('Boleto'));
    expect(within(field(/email/i))).toBeUndefined();
    expect(within(field(/^CPF/))).toBe('Bole');
    // The first wrong field in the page gets the focus.
    await userEvent.click(button());
    await waitFor(() => expect(document.activeElement).toBe(field(/^CPF/)));
  });

  it('keeps the focus when saved cards load', async () => {
    let arrive = () => {};
    fake.held = new Promise((resolve) => {
      arrive = resolve;
    });
    const saved = { token_id: 't', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    const checkout = make({ ...open, methods: [card, pix] });
    fake.view = { ...fake.view, saved_cards: [saved] };
    render(<App checkout={checkout} />);
    const started = checkout.start();
    const number = field(/card number/i);
    await userEvent.type(number, '4');
    arrive();
    await started;
    await screen.findByRole('radio', { name: /4242/ });
    expect(document.activeElement).toBe(number);
    expect(number.isConnected).toBe(true);
  });
});

describe('a method with a page of its own', () => {
  it('says so, and names the method on its button', async () => {
    await start({ methods: [card, pix] });
    expect(button().textContent).toBe('Pay R$129.90');
    await userEvent.click(radio('Pix'));
    expect(screen.getByRole('button', { name: 'Continue to Pix', description: /with Pix on the next page/ })).toBe(
      button(),
    );
    await userEvent.click(radio('Card'));
    expect(button().textContent).toBe('Pay R$129.90');
  });

  it('shows its icon outside its accessible name', async () => {
    await start({ methods: [card, pix] });
    expect(radio('Pix').closest('label')?.querySelector('img')?.src).toBe(icon);
  });
});

describe('the accepted brands', () => {
  it('are beside the card, at most four, and describe it', async () => {
    await start({ methods: [card, pix] });
    const label = radio('Card').closest('label');
    expect(marks(label)).toEqual(['#mark-elo', '#mark-visa', '#mark-amex', '#mark-mir']);
    expect(label?.textContent).toContain('+1');
    const described = document.getElementById(radio('Card').getAttribute('aria-describedby') ?? '');
    expect(described?.getAttribute('aria-label')).toBe('Elo, Visa, American Express, Mir, Troy');
  });

  it('appear in the only method’s number field until one is typed', async () => {
    await start();
    const number = field(/card number/i);
    const box = () => number.closest('.box');
    expect(marks(box())).toEqual(['#mark-visa', '#mark-mastercard']);
    await userEvent.type(number, '5555 5');
    expect(marks(box())).toEqual(['#mark-mastercard']);
    await userEvent.clear(number);
    expect(marks(box())).toEqual(['#mark-visa', '#mark-mastercard']);
  });

  it('are not shown if the shop names none', async () => {
    await start({ methods: [{ type: 'card', brands: [] }] });
    expect(marks(field(/card number/i).closest('.box'))).toEqual(['#mark-blank']);
  });
});

it('draws where the card’s brand has its security code', async () => {
  await start();
  const hint = () => marks(field(/security code/i).closest('.box'));
  expect(hint()).toEqual(['#mark-back']);
  await userEvent.type(field(/card number/i), '3782822');
  expect(hint()).toEqual(['#mark-front']);
});
