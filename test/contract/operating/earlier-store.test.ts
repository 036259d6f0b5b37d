import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { earlierPayments } from '../../../relay/store/schema/earlier-payments.ts';
import { sqliteWords } from '../../../relay/store/sqlite/schema.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { approval, scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** Writes an order as the previous version did, and applies the upgrade to its store. */
function fromEarlier(folder: string): void {
  const db = new DatabaseSync(join(folder, 'turnpike.db'));
  db.exec(
    `UPDATE orders SET next_query_at = NULL, data = json_remove(data, '$.payments[0].ready', '$.payments[0].awaited')`,
  );
  db.exec(earlierPayments(sqliteWords));
  db.close();
}

it('a payment from an earlier version gets its status by a query', async () => {
  const shop = await startReceiver();
  const paid: Record<string, unknown> = {};
  let failures = 1;
  const gateway = await scriptedGateway((received, res) => {
    if (received.path !== operations.query.path) return sendXml(res, signedXml(approval(received)));
    failures -= 1;
    if (failures >= 0) return void res.destroy();
    sendRecords(res, [{ ...paid, payment_status: '4100' }]);
  });
  const config = { ...withReceiver(shop.url), resolve: { first_ms: 50, max_ms: 50 } };
  const before = await startTestRelay({ gatewayUrl: gateway.url, config });
  const given = order();
  const { body } = await before.post('/v1/payments', apiKey, { ...given, ...card });
  const { transaction_id } = body;
  Object.assign(paid, { ...given, transaction_id });
  await before.stop();
  fromEarlier(before.folder);

  const relay = await startTestRelay({ gatewayUrl: gateway.url, folder: before.folder, config });
  const payment = async () => (await relay.get(`/v1/payments/${transaction_id}`, apiKey)).body;
  await until('the payment is reversed', async () => (await payment()).status === 'reversed');
  await until('the webhook arrives', () => shop.received.some(({ type }) => type === 'payment.reversed'));
  expect(shop.received.map(({ type }) => type)).not.toContain('payment.ready');
});
