// @vitest-environment jsdom

import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { fake, field, start } from '../testing.tsx';

const named = (...codes: string[]) => codes.map((code) => ({ code, name: `Bank ${code}` }));
const listed: PaymentMethod = { type: 'apm', payment_method: 'A', label: 'Transfer', banks: named('7', '8') };
const typed: PaymentMethod = { type: 'apm', payment_method: 'B', label: 'Deposit', fields: ['bank_code'] };
const others: PaymentMethod = { type: 'apm', payment_method: 'C', label: 'Debit', banks: named('8', '9') };
const methods = [listed, typed, others, { type: 'card' } as const];

const bank = () => screen.getByRole<HTMLSelectElement>('combobox', { name: en.fields.bank });
const choose = (name: string) => userEvent.click(screen.getByRole('radio', { name: new RegExp(name, 'i') }));

it('a bank is none of a method that has other banks', async () => {
  const checkout = await start({ methods });
  await userEvent.selectOptions(bank(), '7');
  await choose('Deposit');
  expect(field(/bank code/i).value).toBe('');
  expect(checkout.parts?.requestOf(checkout)).toEqual({});
});

it('a bank stays where a method has it or asks for none', async () => {
  await start({ methods });
  await userEvent.selectOptions(bank(), '7');
  await choose('card');
  await choose('Transfer');
  expect(bank().value).toBe('7');
  await userEvent.selectOptions(bank(), '8');
  await choose('Debit');
  expect(bank().value).toBe('8');
});

it('a bank that the order names is every method’s', async () => {
  const checkout = await start({ methods, prefill: { bank_code: '7' } });
  await waitFor(() => expect(bank().value).toBe('7'));
  await choose('Deposit');
  expect(checkout.parts?.requestOf(checkout)).toEqual({ bank_code: '7' });
});

it('a bank that comes back from a try is that try’s method’s', async () => {
  const checkout = await start({ methods, last_method: 'A', prefill: { bank_code: '7' } });
  await waitFor(() => expect(bank().value).toBe('7'));
  await choose('Deposit');
  expect(checkout.parts?.requestOf(checkout)).toEqual({});
  expect(fake.polls).toBe(1);
});

it('a bank prefilled after a card try does not count as typed', async () => {
  const checkout = await start({ methods, last_method: 'card', prefill: { bank_code: '7' } });
  await waitFor(() => expect(checkout.state.values.bank_code).toBe('7'));
  await choose('Deposit');
  expect(checkout.parts?.requestOf(checkout)).toEqual({});
});
