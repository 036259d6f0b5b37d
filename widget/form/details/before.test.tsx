// @vitest-environment jsdom

import { screen, waitFor } from '@testing-library/preact';
import { hydrate } from 'preact';
import { expect, it } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { renderCheckout } from '../render.tsx';
import { make, open } from '../testing.tsx';
import { App } from '../view/app.tsx';

const collect = ['email', 'birth_date', 'billing_address', 'delivery_address'];
const control = (token: string) => {
  const found = document.querySelector<HTMLInputElement | HTMLSelectElement>(`[autocomplete="${token}"]`);
  if (!found) throw new Error(`nothing is called ${token}`);
  return found;
};

/** Shows what the server rendered, as a shopper may use it before the script runs. */
function served(): HTMLElement {
  const { prefill: _, saved_cards: __, order_no: ___, ...view } = { ...open, collect };
  document.body.innerHTML = renderCheckout({ view, locales: ['en'], allowed_origins: [] }).body;
  const root = document.getElementById('checkout');
  if (!root) throw new Error('not rendered');
  return root;
}

async function bringToLife(root: HTMLElement, known: Partial<CheckoutView> = {}) {
  const checkout = make({ ...open, collect, ...known });
  hydrate(<App checkout={checkout} />, root);
  await checkout.start();
  return checkout;
}

it('adopts what was typed, chosen and ticked before the script came', async () => {
  const root = served();
  control('email').value = 'ada@example.com';
  control('bday-month').value = '12';
  control('bday-year').value = '1985';
  control('billing address-level1').value = 'SP';
  const same = screen.getByRole<HTMLInputElement>('checkbox', { name: en.fields.delivery_same });
  same.checked = false;
  const checkout = await bringToLife(root, { prefill: { shopper_email: 'shop@example.com', billing_city: 'Recife' } });
  await waitFor(() =>
    expect(checkout.state.values).toMatchObject({
      shopper_email: 'ada@example.com',
      birth_date: '-12-1985',
      billing_state: 'SP',
      billing_city: 'Recife',
      delivery_same: 'no',
    }),
  );
  expect(control('email').value).toBe('ada@example.com');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: en.fields.delivery_same }).checked).toBe(false);
});

it('shows the errors of fields that were left already', async () => {
  const root = served();
  control('email').value = 'ada@example';
  control('bday-month').value = '12';
  const checkout = await bringToLife(root);
  await waitFor(() => expect(Object.keys(checkout.state.errors).sort()).toEqual(['birth_date', 'shopper_email']));
  expect(control('bday-day').getAttribute('aria-invalid')).toBe('true');
});

it('shows no error of a date that is being typed', async () => {
  const root = served();
  control('bday-month').value = '12';
  control('bday-year').focus();
  const checkout = await bringToLife(root);
  await waitFor(() => expect(checkout.state.values.birth_date).toBe('-12-'));
  expect(checkout.state.errors).toEqual({});
});

it('renders the likely country alone, then all others, and selects the shop’s', async () => {
  const root = served();
  const country = control('billing country');
  expect([...country.querySelectorAll('option')].map(({ value }) => value)).toEqual(['BR']);
  const checkout = await bringToLife(root, { prefill: { billing_country: 'PT' } });
  await waitFor(() => expect(country.value).toBe('PT'));
  expect(country.querySelectorAll('option').length).toBeGreaterThan(240);
  expect(checkout.state.values.billing_country).toBe('PT');
});
