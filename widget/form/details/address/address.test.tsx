// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { approved, bootOf, button, fake, field, fillCard, json, open, pay, problem, start } from '../../testing.tsx';

const select = (name: string | RegExp) => screen.getByRole<HTMLSelectElement>('combobox', { name });
const labels = () =>
  within(screen.getByRole('group', { name: en.fields.billing }))
    .getAllByText(/./, { selector: 'label' })
    .map((label) => label.textContent);
const address = { collect: ['billing_address'] };
const both = { collect: ['billing_address', 'delivery_address'] };

async function fillBilling(): Promise<void> {
  await userEvent.type(field(/postal code/i), '01310100');
  await userEvent.type(field(/^address/i), 'Avenida Paulista 1');
  await userEvent.type(field(/city/i), 'São Paulo');
  await userEvent.selectOptions(select(/^state/i), 'São Paulo');
}

describe('an address', () => {
  it('begins in the order’s country, and is sent by code', async () => {
    await start(address);
    expect(select('Country').selectedOptions[0]?.textContent).toBe('Brazil');
    expect(select('Country').options[0]?.value).toBe('BR');
    fake.answers = [() => json(approved)];
    await fillCard();
    await fillBilling();
    expect(field(/postal code/i).value).toBe('01310-100');
    await userEvent.click(button());
    await waitFor(() =>
      expect(fake.paid[0]?.body).toMatchObject({
        billing_country: 'BR',
        billing_postal_code: '01310-100',
        billing_address: 'Avenida Paulista 1',
        billing_city: 'São Paulo',
        billing_state: 'SP',
      }),
    );
  });

  it.each([
    ['es-419', ''],
    ['es-MX', 'MX'],
    ['de', ''],
  ])('for a %s reader with a shared currency starts in “%s”', async (locale, country) => {
    const shown = { ...open, ...address, currency: 'USD' };
    const checkout = await start(shown);
    checkout.setLocale({ ...bootOf(shown), locale });
    await waitFor(() => expect(select('Country').value).toBe(country));
    expect([...select('Country').options].map(({ value }) => value)).not.toContain('419');
    if (locale === 'de') expect(select('Country').options[1]?.value).toBe('DE');
  });

  it('accepts a state by name, and asks when the name is unknown', async () => {
    const billing = { billing_country: 'MX', billing_state: 'Jalisco' };
    const checkout = await start({ ...address, currency: 'MXN', prefill: billing });
    expect(select(/^state/i).selectedOptions[0]?.textContent).toBe('Jalisco');
    select(/^state/i).focus();
    await userEvent.tab();
    expect(checkout.state.errors).toEqual({});
    checkout.type('billing_state', 'Nowhere');
    checkout.leave('billing_state');
    expect(checkout.state.errors.billing_state).toEqual({ key: 'choice_missing' });
  });

  it('follows its country’s labels and order, and keeps values that fit', async () => {
    const checkout = await start(address);
    await fillBilling();
    expect(labels()).toEqual(['Country', 'Postal code', 'Address', 'City', 'State']);
    await userEvent.selectOptions(select('Country'), 'US');
    expect(labels()).toEqual(['Country', 'Address', 'City', 'State', 'ZIP code']);
    expect(field(/^address/i).value).toBe('Avenida Paulista 1');
    expect(field(/city/i).value).toBe('São Paulo');
    expect(select(/^state/i).value).toBe('');
    expect(checkout.state.values.billing_state).toBe('');
    await userEvent.selectOptions(select('Country'), 'JP');
    expect(labels().slice(1, 3)).toEqual(['Postal code', 'Prefecture']);
    await userEvent.selectOptions(select(/prefecture/i), '13');
    await userEvent.selectOptions(select('Country'), 'GB');
    expect(labels()).toEqual(['Country', 'Address', 'City', 'Postcode']);
    expect(checkout.state.values.billing_state).toBe('');
  });

  it('asks for no postal code where there is none, and sends none', async () => {
    await start(address);
    await userEvent.type(field(/postal code/i), '01310100');
    await userEvent.selectOptions(select('Country'), 'HK');
    expect(screen.queryByLabelText(/postal code/i)).toBeNull();
    await userEvent.type(field(/^address/i), '1 Queen’s Road');
    await userEvent.type(field(/city/i), 'Central');
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).not.toHaveProperty('billing_postal_code');
  });

  it('shows a sample postal code, and formats it for its country', async () => {
    await start({ ...address, currency: 'GBP' });
    await userEvent.type(field(/postcode/i), 'sw1');
    await userEvent.tab();
    expect(screen.getByText(/^Enter a code such as/).textContent).toMatch(/[A-Z]{1,2}\d/);
    await userEvent.clear(field(/postcode/i));
    await userEvent.type(field(/postcode/i), 'sw1a1aa');
    await userEvent.tab();
    expect(field(/postcode/i).value).toBe('SW1A 1AA');
    expect(screen.queryByText(/looks like/)).toBeNull();
  });

  it('leaves a deleted hyphen deleted', async () => {
    await start(address);
    const code = field(/postal code/i);
    await userEvent.type(code, '013101');
    expect(code.value).toBe('01310-1');
    await userEvent.type(code, '{Backspace}{Backspace}');
    expect(code.value.replace('-', '')).toBe('0131');
  });

  it('is prefilled by the shop, states by name too, without overwriting input', async () => {
    await start({
      ...address,
      prefill: { billing_country: 'US', billing_state: 'California', billing_city: 'Fresno' },
    });
    expect(select('Country').value).toBe('US');
    expect(select(/^state/i).value).toBe('CA');
    expect(field(/city/i).value).toBe('Fresno');
  });

  it('keeps a prefilled state that its list does not have', async () => {
    await start({ ...address, prefill: { billing_country: 'US', billing_state: 'Old Dominion' } });
    expect(select(/^state/i).selectedOptions[0]?.textContent).toBe('Old Dominion');
  });

  it('has an exact token for each part', async () => {
    await start({ ...both, prefill: { delivery_city: 'Recife' } });
    const tokens = [...document.querySelectorAll('[autocomplete]')].map((input) => input.getAttribute('autocomplete'));
    for (const section of ['billing', 'shipping']) {
      for (const part of ['country', 'postal-code', 'street-address', 'address-level2', 'address-level1']) {
        expect(tokens).toContain(`${section} ${part}`);
      }
    }
  });
});

describe('a delivery', () => {
  const same = () => screen.getByRole<HTMLInputElement>('checkbox', { name: en.fields.delivery_same });
  const delivery = () => within(screen.getByRole('group', { name: en.fields.delivery }));

  it('goes to the billing address and cardholder unless the shopper says otherwise', async () => {
    await start(both);
    expect(same().checked).toBe(true);
    expect(delivery().queryByLabelText('City')).toBeNull();
    fake.answers = [() => json(approved)];
    await fillBilling();
    await pay();
    await waitFor(() =>
      expect(fake.paid[0]?.body).toMatchObject({
        delivery_firstname: 'Ada',
        delivery_lastname: 'Byron',
        delivery_country: 'BR',
        delivery_postal_code: '01310-100',
        delivery_address: 'Avenida Paulista 1',
        delivery_city: 'São Paulo',
        delivery_state: 'SP',
      }),
    );
  });

  it('asks for the name where none is known', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    await start({ ...both, saved_cards: [saved] });
    await screen.findByLabelText(/Visa ending in 4242/);
    expect(delivery().getByLabelText('First name')).toBeTruthy();
    expect(delivery().queryByLabelText('City')).toBeNull();
  });

  it('is open if the shop knows another address', async () => {
    await start({ ...both, prefill: { billing_city: 'Recife', delivery_city: 'Olinda' } });
    expect(same().checked).toBe(false);
    expect(delivery().getByLabelText<HTMLInputElement>('City').value).toBe('Olinda');
  });

  it('keeps what was typed while it is hidden', async () => {
    await start(both);
    await userEvent.click(same());
    await userEvent.type(delivery().getByLabelText('City'), 'Olinda');
    await userEvent.click(same());
    expect(delivery().queryByLabelText('City')).toBeNull();
    await userEvent.click(same());
    expect(delivery().getByLabelText<HTMLInputElement>('City').value).toBe('Olinda');
  });

  it('is opened if a part of it is refused', async () => {
    await start(both);
    await fillBilling();
    fake.answers = [problem(400, 'invalid_request', [{ path: 'delivery_city', message: '' }])];
    await pay();
    await waitFor(() => expect(same().checked).toBe(false));
    const city = delivery().getByLabelText<HTMLInputElement>('City');
    expect(city.value).toBe('São Paulo');
    expect(city.getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(city));
  });
});

describe('a refusal', () => {
  it('appears at its field, with our own rule’s message if any', async () => {
    const checkout = await start({ ...open, ...address, collect: ['email', 'billing_address'] });
    await userEvent.type(field(/email/i), 'ada@example.com');
    await fillBilling();
    fake.answers = [
      () => {
        // As if the shop had changed the order meanwhile, so that the value is no longer valid.
        checkout.set({ values: { ...checkout.state.values, billing_postal_code: '1' } });
        return problem(400, 'invalid_request', [
          { path: 'shopper_email', message: '' },
          { path: 'billing_postal_code', message: '' },
        ])();
      },
    ];
    await pay();
    await screen.findByText(en.form.field_invalid);
    expect(document.getElementById('error-shopper_email')?.textContent).toBe(en.form.field_invalid);
    expect(document.getElementById('error-billing_postal_code')?.textContent).toContain('01310-100');
    await waitFor(() => expect(document.activeElement).toBe(field(/email/i)));
  });
});
