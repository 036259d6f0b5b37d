import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startStack } from '../../support/relays/stack.ts';

/** Numbers of articles that pass Luhn, as some do by chance: EAN-13 and GTIN-14. */
const ean = '4006381333931';
const luhnEan = '4012345678901';

it('numbers of articles in a shop’s texts travel unchanged', async () => {
  const receiver = await startReceiver();
  const { gateway, relay } = await startStack({ config: withReceiver(receiver.url) });
  const texts = {
    order_no: `A-${luhnEan}`,
    items: [{ name: `Cup ${ean}`, code: luhnEan, price: '12.50', quantity: 1 }],
    note: `EAN ${luhnEan}`,
    custom: luhnEan,
    metadata: { sku: luhnEan, gtin: `0${luhnEan}` },
  };
  const paid = await relay.post('/v1/payments', apiKey, { ...texts, currency: 'BRL', amount: '12.50', ...card });
  expect(paid, paid.text).toMatchObject({ status: 200, body: { order_no: texts.order_no } });
  const [message] = gateway.messages.list();
  expect(JSON.stringify(message)).toContain(luhnEan);
  const event = await receiver.one('session.approved');
  const { items, note, custom, metadata } = texts;
  expect(event.data).toMatchObject({ order_no: texts.order_no, metadata, order: { items, note, custom } });
  const order = await relay.get(`/v1/sessions/${String(event.data.id)}`, apiKey);
  expect(order.body).toMatchObject({ metadata, order: { items, note, custom } });
});

it('a card number in a shop’s free text is masked', async () => {
  const receiver = await startReceiver();
  const { relay } = await startStack({ config: withReceiver(receiver.url) });
  const { number } = testCards.poor;
  const body = { order_no: 'A-2', currency: 'BRL', amount: '12.50', note: `Paid by ${number}`, ...card };
  expect((await relay.post('/v1/payments', apiKey, body)).status).toBe(200);
  expect((await receiver.one('session.approved')).raw).not.toContain(number);
});
