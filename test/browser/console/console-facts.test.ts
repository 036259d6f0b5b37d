import { expect, it } from 'vitest';
import { fact, startConsoleStack } from '../../support/operators/console-stack.ts';
import { card, order } from '../../support/relays/relay.ts';

it('shows the shop’s data about an order, and an unknown device', async () => {
  const { relay, person } = await startConsoleStack();
  const given = {
    ...{ ...order(), amount: '50.00', shopper_email: 'ada@shopper.example' },
    items: [{ name: 'Tea', quantity: 2, price: '25.00', code: 'T-1' }],
    ...{ delivery_firstname: 'Ada', delivery_lastname: 'Byron', delivery_street_name: 'Rua das Flores 1' },
    ...{ delivery_postal_code: '01310-100', delivery_city: 'São Paulo', delivery_state: 'SP', delivery_country: 'BR' },
  };
  const session = await relay.session({ order: given, metadata: { basket: 'B-77' } });
  expect(await relay.pay(session.secret, card)).toMatchObject({ body: { status: 'approved' } });
  const page = await person(`/console/demo/orders/${session.orderNo}`);
  await page.getByText('B-77').waitFor();
  expect(await fact(page, 'Delivery').innerText()).toBe('Ada Byron, Rua das Flores 1, 01310-100 São Paulo, SP, BR');
  await page.locator('.facts').getByText('Tea').waitFor();
  await page.locator('.timeline').getByText('Without a device fingerprint').waitFor();
});
