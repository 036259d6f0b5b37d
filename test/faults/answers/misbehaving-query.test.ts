import { expect, it } from 'vitest';
import { type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';
import { faults } from './json-misbehaviours.ts';

type Records = Record<string, unknown>[];

/** Well-formed answers that are not about this payment or contain nothing about it. */
const untrue: Record<string, (record: Record<string, unknown>) => [records: Records, change?: object]> = {
  'the approval of another order': (record) => [[{ ...record, order_no: 'X' }]],
  'an approval without a transaction_id': (record) => [[{ ...record, transaction_id: '' }]],
  'a status that no book lists': (record) => [[{ ...record, payment_status: '9' }]],
  'a refusal of the query': (record) => [[record], { return_status: '0' }],
  'the books of another account': (record) => [[record], { account_id: '200002' }],
  'a signature that is wrong': (record) => [[record], { encryption_data: 'f'.repeat(64) }],
};

async function lostPayment(answerQuery: Script) {
  const gateway = await scriptedGateway((received, res, req) => {
    if (received.path === '/v1/authorise') res.destroy();
    else answerQuery(received, res, req);
  });
  const resolve = { first_ms: 20, max_ms: 50 };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 4000, config: { resolve } });
  const { secret, id, orderNo } = await relay.session();
  expect((await relay.pay(secret, card)).body).toEqual({ status: 'unknown' });
  const record = (): Record<string, unknown> => {
    const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
    return { amount, currency, order_no, transaction_id: 'T1', payment_status: '3000' };
  };
  return { gateway, relay, id, orderNo, record };
}

const forms: [string, (record: Record<string, unknown>) => Script][] = [
  ...Object.entries(faults).map(([what, [does]]): [string, () => Script] => [`a gateway that ${what}`, () => does]),
  ...Object.entries(untrue).map(([what, of]): [string, (record: Record<string, unknown>) => Script] => [
    what,
    (record) => (_received, res) => sendRecords(res, ...of(record)),
  ]),
];

it.each(forms)('a lost payment stays unknown after %s, until a correct record arrives', async (_, form) => {
  let isFine = false;
  const { gateway, relay, id, record } = await lostPayment((received, res, req) => {
    if (isFine) sendRecords(res, [record()]);
    else form(record())(received, res, req);
  });
  await until('it was queried repeatedly', () => gateway.queried().length >= 3);
  expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
  isFine = true;
  expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  expect(gateway.authorised()).toHaveLength(1);
});

it.each([
  ['amount', { amount: '1.29' }],
  ['currency', { currency: 'USD' }],
])('a lost payment whose record has another %s needs a person', async (_, change) => {
  let isFine = false;
  const { gateway, relay, id, orderNo, record } = await lostPayment((_received, res) =>
    sendRecords(res, [isFine ? record() : { ...record(), ...change }]),
  );
  const reconcile = () => relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
  const needsPerson = { status: 'unknown', unknown: { reason: 'amount_differs', needs_attention: true } };
  await until('a person is needed', async () => {
    const { unknown } = await relay.truth(id);
    return (
      typeof unknown === 'object' && unknown !== null && 'reason' in unknown && unknown.reason === 'amount_differs'
    );
  });
  expect(await relay.truth(id)).toMatchObject(needsPerson);
  expect(await reconcile()).toMatchObject({ status: 200, body: { status: 'unknown' } });
  expect(await relay.truth(id)).toMatchObject(needsPerson);
  isFine = true;
  expect(await reconcile()).toMatchObject({ status: 200, body: { status: 'paid' } });
  expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  expect(gateway.authorised()).toHaveLength(1);
});
