// @vitest-environment jsdom

import { act, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { hydrate } from 'preact';
import { describe, expect, it } from 'vitest';
import type { PaymentMethod } from '../../../../shared/checkout/session.ts';
import en from '../../../locales/en.json' with { type: 'json' };
import { renderCheckout } from '../../render.tsx';
import { button, fake, json, make, open, start } from '../../testing.tsx';
import { App } from '../../view/app.tsx';

/** jsdom has no layout. */
Element.prototype.scrollIntoView = () => {};

const names = ['Banco do Brasil', 'Bradesco', 'BTG Pactual', 'Caixa', 'Inter', 'Itaú', 'Itaú BBA', 'Nubank', 'Safra'];
const others = Array.from({ length: 42 }, (_, index) => ({ code: `X${index}`, name: `Cooperativa ${index}` }));
const banks = names.map((name, index) => ({ code: `B${index}`, name })).toSpliced(3, 0, ...others);
const transfer: PaymentMethod = { type: 'apm', payment_method: 'TEF', label: 'Transfer', banks };
const other: PaymentMethod = {
  type: 'apm',
  payment_method: 'PSE',
  label: 'PSE',
  banks: banks.map((_, index) => ({ code: `P${index}`, name: `Banco ${index}` })),
};
const methods = [transfer, other];

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: en.fields.bank });
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;
const isOpen = () => box().getAttribute('aria-expanded') === 'true';
const { keyboard } = userEvent;

describe('a bank is found by typing', () => {
  it('without regard to accents, and sent by its code', async () => {
    await start({ methods });
    await userEvent.type(box(), 'itau b');
    expect(options()).toEqual(['Itaú BBA']);
    expect(screen.getByText('1 bank')).toBeTruthy();
    await userEvent.click(screen.getByRole('option', { name: 'Itaú BBA' }));
    expect(box().value).toBe('Itaú BBA');
    expect(isOpen()).toBe(false);
    fake.answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/x' })];
    await userEvent.click(button());
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ bank_code: 'B6' }));
  });

  it('by keys alone: arrows, Home, End, Enter', async () => {
    const checkout = await start({ methods });
    box().focus();
    await keyboard('{ArrowDown}');
    expect([isOpen(), active()]).toEqual([true, 'Banco do Brasil']);
    await keyboard('{ArrowDown}{ArrowDown}');
    expect(active()).toBe('BTG Pactual');
    await keyboard('{End}');
    expect(active()).toBe('Safra');
    await keyboard('{ArrowDown}');
    expect(active()).toBe('Banco do Brasil');
    await keyboard('{ArrowUp}{ArrowUp}');
    expect(active()).toBe('Nubank');
    await keyboard('{Home}{ArrowDown}{Enter}');
    expect([isOpen(), box().value, checkout.state.values.bank_code]).toEqual([false, 'Bradesco', 'B1']);
    expect(document.activeElement).toBe(box());
    expect(fake.paid).toEqual([]);
  });

  it('and the list opens at the bank that is chosen', async () => {
    await start({ methods, prefill: { bank_code: 'B4' } });
    box().focus();
    await keyboard('{ArrowDown}');
    expect(active()).toBe('Inter');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Inter');
    expect(options()).toHaveLength(banks.length);
  });

  it('Enter takes the only remaining one, and never sends the form', async () => {
    await start({ methods });
    await userEvent.type(box(), 'nub{Enter}');
    expect([box().value, isOpen()]).toEqual(['Nubank', false]);
    await userEvent.clear(box());
    await userEvent.type(box(), 'b{Enter}');
    expect(fake.paid).toEqual([]);
    expect(document.querySelector('.busy')).toBeNull();
  });

  it('Escape closes the list, and once more clears it', async () => {
    const checkout = await start({ methods, prefill: { bank_code: 'B4' } });
    await userEvent.click(box());
    expect(isOpen()).toBe(true);
    await keyboard('{Escape}');
    expect([isOpen(), box().value]).toEqual([false, 'Inter']);
    await keyboard('{Escape}');
    expect([box().value, checkout.state.values.bank_code]).toEqual(['', '']);
  });

  it('a button clears it and keeps the focus in it', async () => {
    const checkout = await start({ methods, prefill: { bank_code: 'B4' } });
    await userEvent.click(screen.getByRole('button', { name: en.fields.clear }));
    expect([box().value, checkout.state.values.bank_code]).toEqual(['', '']);
    expect(document.activeElement).toBe(box());
  });
});

describe('the text typed as a bank', () => {
  it.each([
    ['its name, as it is', 'Bradesco', 'Bradesco', 'B1'],
    ['its name without accents and case', 'ITAU', 'Itaú', 'B5'],
    ['its code', 'B7', 'Nubank', 'B7'],
  ])('is taken on leaving where it is %s', async (_, typed, name, code) => {
    const checkout = await start({ methods });
    await userEvent.type(box(), typed);
    await userEvent.tab();
    expect([box().value, checkout.state.values.bank_code, isOpen()]).toEqual([name, code, false]);
    expect(box().getAttribute('aria-invalid')).toBe('false');
  });

  it('is refused if it is no bank, and can be corrected', async () => {
    await start({ methods });
    await userEvent.type(box(), 'Banco');
    await userEvent.tab();
    expect(box().value).toBe('Banco');
    expect(screen.getByText(en.fields.bank_unknown)).toBeTruthy();
    await userEvent.click(button());
    expect(fake.paid).toEqual([]);
    expect(document.activeElement).toBe(box());
    await userEvent.type(box(), ' do Brasil');
    expect(screen.queryByText(en.fields.bank_unknown)).toBeNull();
  });

  it('gets a message if it matches no bank', async () => {
    await start({ methods });
    await userEvent.type(box(), 'xyz');
    expect(screen.getByText(en.fields.bank_none)).toBeTruthy();
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

it('the shop’s bank is shown by name, and not sent if unknown', async () => {
  await start({ methods, prefill: { bank_code: 'B8' } });
  expect(box().value).toBe('Safra');
  await userEvent.click(screen.getByRole('radio', { name: 'PSE' }));
  expect(box().value).toBe('');
  await userEvent.click(button());
  expect(screen.getByText(en.fields.bank_unknown)).toBeTruthy();
  expect(fake.paid).toEqual([]);
  await userEvent.click(screen.getByRole('radio', { name: 'Transfer' }));
  expect(box().value).toBe('Safra');
});

it('what was typed before the script came is adopted', async () => {
  const checkout = make({ ...open, methods });
  const { body } = renderCheckout({ view: { ...open, methods }, locales: ['en'], allowed_origins: [] });
  document.body.innerHTML = body;
  const root = document.querySelector('main');
  if (!root) throw new Error('no form');
  box().value = 'nubank';
  await act(() => hydrate(<App checkout={checkout} />, root));
  await waitFor(() => expect(checkout.state.values.bank_code).toBe('B7'));
  expect(box().value).toBe('Nubank');
});

describe('fifty banks', () => {
  const listed = [transfer, other].map((method) => ({ ...method, banks: method.banks?.slice(0, 50) }));
  const select = () => screen.getByRole<HTMLSelectElement>('combobox', { name: en.fields.bank });

  it('are in a list that opens', async () => {
    const checkout = await start({ methods: listed });
    expect(select().tagName).toBe('SELECT');
    expect(select().options).toHaveLength(51);
    await userEvent.selectOptions(select(), 'Bradesco');
    expect(checkout.state.values.bank_code).toBe('B1');
  });

  it('show no bank as chosen that the method does not have', async () => {
    await start({ methods: listed, prefill: { bank_code: 'B1' } });
    expect(select().selectedOptions[0]?.textContent).toBe('Bradesco');
    await userEvent.click(screen.getByRole('radio', { name: 'PSE' }));
    await waitFor(() => expect(select().selectedOptions[0]?.textContent).toBe(en.fields.choose));
    await userEvent.click(button());
    expect(screen.getByText(en.fields.bank_unknown)).toBeTruthy();
    expect(fake.paid).toEqual([]);
  });
});
