// @vitest-environment jsdom

import { screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { approved, button, fake, json, pay, pix, retry, start } from '../../testing.tsx';

const same = () => screen.getByRole<HTMLInputElement>('checkbox', { name: en.fields.delivery_same });
const delivery = () => within(screen.getByRole('group', { name: en.fields.delivery }));
const billing = {
  billing_country: 'BR',
  billing_postal_code: '01310-100',
  billing_address: 'Avenida Paulista 1',
  billing_city: 'São Paulo',
  billing_state: 'SP',
};
const there = Object.fromEntries(
  Object.entries(billing).map(([path, value]) => [path.replace('billing', 'delivery'), value]),
);
const both = { collect: ['billing_address', 'delivery_address'], prefill: billing };
const grace = { delivery_firstname: 'Grace', delivery_lastname: 'Hopper' };
const ada = { delivery_firstname: 'Ada', delivery_lastname: 'Byron' };
const declined = () => json({ status: 'declined', advice: 'other_card', attempts_left: 4 });

async function nameRecipient(): Promise<void> {
  await userEvent.type(delivery().getByLabelText('First name'), 'Grace');
  await userEvent.type(delivery().getByLabelText('Last name'), 'Hopper');
}

it('a recipient is not sent once both addresses are the same', async () => {
  await start(both);
  await userEvent.click(same());
  await nameRecipient();
  await userEvent.click(same());
  expect(delivery().queryByLabelText('First name')).toBeNull();
  fake.answers = [() => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject(ada));
});

it('a declined try’s other recipient is dropped once both addresses match', async () => {
  await start(both);
  await userEvent.click(same());
  await nameRecipient();
  await userEvent.type(delivery().getByLabelText('Postal code'), '50030230');
  await userEvent.type(delivery().getByLabelText('Address'), 'Cais 1');
  await userEvent.type(delivery().getByLabelText('City'), 'Recife');
  await userEvent.selectOptions(delivery().getByLabelText('State'), 'PE');
  fake.answers = [declined, () => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject(grace));
  await waitFor(() => expect(button()).toBeTruthy());
  await userEvent.click(same());
  await retry();
  await waitFor(() => expect(fake.paid[1]?.body).toMatchObject({ ...ada, delivery_city: 'São Paulo' }));
});

it('an earlier recipient is shown after reload until both addresses match', async () => {
  const kept = { ...billing, ...there, ...grace, first_name: 'Ada', last_name: 'Byron' };
  await start({ ...both, notice: 'declined', last_method: 'card', prefill: kept });
  await waitFor(() => expect(same().checked).toBe(false));
  expect(delivery().getByLabelText<HTMLInputElement>('First name').value).toBe('Grace');
  await userEvent.click(same());
  fake.answers = [() => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject({ delivery_firstname: 'Ada', ...there }));
});

it('the cardholder of an earlier try is no other recipient', async () => {
  const kept = { ...billing, ...there, ...ada, first_name: 'Ada', last_name: 'Byron' };
  await start({ ...both, notice: 'declined', last_method: 'card', prefill: kept });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Name on card').value).toBe('Ada Byron'));
  expect(same().checked).toBe(true);
});

it('the order’s recipient is sent despite typed changes, also on retry', async () => {
  const checkout = await start({ ...both, prefill: { ...billing, ...grace } });
  await waitFor(() => expect(checkout.state.values.delivery_firstname).toBe('Grace'));
  await userEvent.click(same());
  await userEvent.clear(delivery().getByLabelText('First name'));
  await userEvent.type(delivery().getByLabelText('First name'), 'Hedy');
  await userEvent.click(same());
  fake.answers = [declined, () => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject(grace));
  await waitFor(() => expect(button()).toBeTruthy());
  await retry();
  await waitFor(() => expect(fake.paid[1]?.body).toMatchObject(grace));
});

it('a form paid while ticked stays ticked, whatever the try returns', async () => {
  const named = { ...billing, ...grace };
  const checkout = await start({ ...both, prefill: named });
  fake.answers = [declined, () => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid.length).toBe(1));
  await waitFor(() => expect(checkout.state.stage.name).toBe('form'));
  const prefill = { ...named, ...there, first_name: 'Ada', last_name: 'Byron' };
  fake.view = { ...fake.view, notice: 'declined', last_method: 'card', attempts_left: 4, prefill };
  await checkout.refresh();
  await waitFor(() => expect(checkout.state.view.last_method).toBe('card'));
  expect(same().checked).toBe(true);
  await retry();
  await waitFor(() => expect(fake.paid[1]?.body).toMatchObject({ ...grace, ...there }));
});

it('a recipient typed for a nameless method is not used for cards', async () => {
  await start({ ...both, methods: [{ ...pix, fields: [] }, { type: 'card' }] });
  await nameRecipient();
  expect(same().checked).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: /card/i }));
  expect(delivery().queryByLabelText('First name')).toBeNull();
  fake.answers = [() => json(approved)];
  await pay();
  await waitFor(() => expect(fake.paid[0]?.body).toMatchObject(ada));
});
