// @vitest-environment jsdom

import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { approved, bootOf, fake, json, open, pay, pix, start } from '../../testing.tsx';

const group = (legend: string) => within(screen.getByRole('group', { name: legend }));
const country = (legend: string = en.fields.billing) =>
  group(legend).getByRole<HTMLSelectElement>('combobox', { name: 'Country' });
const state = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /state|province|department/i });
const city = (legend: string = en.fields.billing) => group(legend).getByLabelText<HTMLInputElement>('City');
const address = { collect: ['billing_address'] };
const both = { collect: ['billing_address', 'delivery_address'] };
const untick = () => userEvent.click(screen.getByRole('checkbox', { name: en.fields.delivery_same }));

describe('the country of an address', () => {
  const shown = { ...open, ...address, currency: 'USD' };
  const localized = (locale: string) => ({ ...bootOf(shown), locale });

  it('stays on language change once any address field has a value', async () => {
    const checkout = await start(shown);
    checkout.setLocale(localized('en-US'));
    await waitFor(() => expect(country().value).toBe('US'));
    await userEvent.selectOptions(state(), 'CA');
    checkout.setLocale(localized('es-ES'));
    await waitFor(() => expect(country().selectedOptions[0]?.textContent).toBe('Estados Unidos'));
    await userEvent.type(city(), 'Fresno');
    fake.answers = [() => json(approved)];
    await userEvent.type(group(en.fields.billing).getByLabelText(/ZIP/), '93650');
    await userEvent.type(group(en.fields.billing).getByLabelText('Address'), '1 Main St');
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ billing_country: 'US', billing_state: 'CA' }));
  });

  it('follows the language until the shopper begins', async () => {
    const checkout = await start(shown);
    checkout.setLocale(localized('en-US'));
    await waitFor(() => expect(country().value).toBe('US'));
    checkout.setLocale(localized('es-ES'));
    await waitFor(() => expect(country().value).toBe('ES'));
  });

  it('of a filled delivery stays when the billing country changes', async () => {
    const checkout = await start(both);
    await untick();
    await userEvent.type(city(en.fields.delivery), 'Recife');
    await userEvent.selectOptions(country(), 'US');
    expect(country(en.fields.delivery).value).toBe('BR');
    expect(checkout.parts?.requestOf(checkout)).toMatchObject({ billing_country: 'US', delivery_country: 'BR' });
  });

  it('of a delivery with only a recipient follows the billing address', async () => {
    await start({ ...both, prefill: { delivery_firstname: 'Grace' } });
    await untick();
    await userEvent.selectOptions(country(), 'US');
    expect(country(en.fields.delivery).value).toBe('US');
  });

  it('of a person stays too', async () => {
    const methods = [{ ...pix, fields: ['person.address_country', 'person.address_city'] }];
    const checkout = await start({ ...address, methods });
    await userEvent.type(city(en.fields.address), 'Recife');
    await userEvent.selectOptions(country(), 'US');
    expect(checkout.parts?.requestOf(checkout)).toMatchObject({ person: { address_country: 'BR' } });
  });
});

describe('a state', () => {
  it.each([
    ['US', 'CA', 'ES'],
    ['BR', 'PA', 'US'],
    ['IN', 'MP', 'US'],
  ])('of %s with the code %s does not carry over to %s', async (from, code, to) => {
    const checkout = await start(address);
    await userEvent.selectOptions(country(), from);
    await userEvent.selectOptions(state(), code);
    await userEvent.selectOptions(country(), to);
    expect(state().value).toBe('');
    expect(checkout.state.values.billing_state).toBe('');
  });

  it('that is known by code goes with its country', async () => {
    await start({ ...address, prefill: { billing_country: 'US', billing_state: 'CA' } });
    await waitFor(() => expect(state().value).toBe('CA'));
    fireEvent.change(country(), { target: { value: 'US' } });
    expect(state().value).toBe('CA');
    await userEvent.selectOptions(country(), 'ES');
    expect(state().value).toBe('');
  });

  it.each([
    ['CO', 'AMA'],
    ['US', ''],
    ['KR', ''],
  ])('known by name stays where the new country has it: %s', async (to, code) => {
    const checkout = await start({ ...address, prefill: { billing_country: 'BR', billing_state: 'Amazonas' } });
    await waitFor(() => expect(state().value).toBe('AM'));
    await userEvent.selectOptions(country(), to);
    expect(checkout.parts?.requestOf(checkout).billing_state ?? '').toBe(code);
  });

  it('autofilled before its country stays if no list was shown', async () => {
    const checkout = await start({ ...address, currency: 'USD' });
    expect(country().value).toBe('');
    fireEvent.input(screen.getByLabelText(/state/i), { target: { value: 'CA' } });
    fireEvent.change(country(), { target: { value: 'US' } });
    await waitFor(() => expect(state().selectedOptions[0]?.textContent).toBe('California'));
    expect(checkout.parts?.requestOf(checkout)).toMatchObject({ billing_country: 'US', billing_state: 'CA' });
  });

  it('that only the shop knows can be paid with, unchanged', async () => {
    const billing = {
      billing_country: 'MX',
      billing_state: 'La Cima',
      billing_city: 'Querétaro',
      billing_address: 'Calle 1',
      billing_postal_code: '76000',
    };
    const checkout = await start({ ...address, prefill: billing });
    await waitFor(() => expect(state().selectedOptions[0]?.textContent).toBe('La Cima'));
    await userEvent.selectOptions(state(), 'JAL');
    checkout.type('billing_state', 'La Sima');
    checkout.leave('billing_state');
    expect(checkout.state.errors.billing_state).toEqual({ key: 'choice_missing' });
    checkout.type('billing_state', 'La Cima');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid[0]?.body).toMatchObject(billing));
  });
});
