// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { hydrate } from 'preact';
import { describe, expect, it } from 'vitest';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { renderCheckout } from '../render.tsx';
import { button, fake, json, make, open, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

const labels = ['Pix', 'Boleto', 'OXXO', 'PSE', 'SPEI', 'iDEAL', 'BLIK', 'São Pagão', 'Klarna', 'Pay by Pix later'];
const methods: PaymentMethod[] = [
  { type: 'card' },
  ...labels.map((label): PaymentMethod => ({ type: 'apm', payment_method: label, label })),
];

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: en.fields.methods_search });
const shown = () =>
  [...document.querySelectorAll<HTMLElement>('.chooser .option:not([hidden]) > label')].map(
    (label) => label.textContent,
  );
const row = (name: string) => radio(name).closest('.option');
const found = () => document.querySelector('.chooser [role=status]')?.textContent;

describe('many methods', () => {
  it('are labelled radios of one group, and the chosen one is used', async () => {
    await start({ methods });
    const radios = screen.getAllByRole<HTMLInputElement>('radio');
    expect(radios.map(({ name }) => name)).toEqual(methods.map(() => 'method'));
    expect(radios.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['card']);
    await userEvent.click(radio('Klarna'));
    expect(screen.queryByLabelText(en.form.number)).toBeNull();
    fake.answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/x' })];
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ payment_method: 'Klarna' }));
  });

  it('keep their order, with a button after the fifth for the others', async () => {
    await start({ methods });
    const all = [...document.querySelectorAll('.chooser :is(.option > label, summary)')].map((row) => row.textContent);
    expect(all.slice(0, 7)).toEqual([en.form.card, 'Pix', 'Boleto', 'OXXO', 'PSE', en.fields.methods_more, 'SPEI']);
  });

  it('always show the chosen one, and the last one used', async () => {
    await start({ methods, last_method: 'Klarna' });
    expect(radio('Klarna').checked).toBe(true);
    expect(row('Klarna')?.className).toBe('option kept');
    expect(row('iDEAL')?.className).toBe('option');
    await userEvent.click(radio('iDEAL'));
    await userEvent.click(radio('Card'));
    await waitFor(() => expect(row('iDEAL')?.className).toBe('option kept'));
    expect(row('Klarna')?.className).toBe('option kept');
    expect(row('BLIK')?.className).toBe('option');
  });

  it.each([
    ['pix', ['Card', 'Pix', 'Pay by Pix later'], '2 ways to pay'],
    ['PIX later', ['Card', 'Pay by Pix later'], '1 way to pay'],
    ['sao pagao', ['Card', 'São Pagão'], '1 way to pay'],
    ['card', ['Card'], '1 way to pay'],
    ['xyz', ['Card'], en.fields.methods_none],
  ])('are searched: “%s” leaves %j, and says so', async (typed, left, told) => {
    await start({ methods });
    await userEvent.type(search(), typed);
    expect(shown()).toEqual(left);
    expect(found()).toBe(told);
    await userEvent.clear(search());
    expect(shown()).toHaveLength(methods.length);
    expect(found()).toBe('');
  });

  it('are searched with Enter for the first match, without paying', async () => {
    await start({ methods });
    await userEvent.type(search(), 'klar{Enter}');
    await waitFor(() => expect(radio('Klarna').checked).toBe(true));
    expect(document.activeElement).toBe(radio('Klarna'));
    await userEvent.clear(search());
    await userEvent.type(search(), '{Enter}');
    expect(radio('Klarna').checked).toBe(true);
    expect(fake.paid).toEqual([]);
    expect(document.querySelector('[aria-invalid=true]')).toBeNull();
  });

  it('adopt early choices and input, and keep the server’s HTML', async () => {
    const checkout = make({ ...open, methods });
    const { body } = renderCheckout({ view: { ...open, methods }, locales: ['en'], allowed_origins: [] });
    document.body.innerHTML = body;
    const root = document.querySelector('main');
    if (!root) throw new Error('no form');
    radio('BLIK').checked = true;
    search().value = 'bli';
    const before = radio('BLIK');
    await act(() => hydrate(<App checkout={checkout} />, root));
    await waitFor(() => expect(checkout.state.method).toBe('apm BLIK'));
    expect(radio('BLIK')).toBe(before);
    await waitFor(() => expect(shown()).toEqual(['BLIK']));
  });
});

it('six methods stand side by side without a search', async () => {
  await start({ methods: methods.slice(0, 6) });
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.getAllByRole('radio')).toHaveLength(6);
});
