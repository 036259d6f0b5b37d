import { operations } from '../../../shared/gateway/operations.ts';
import { apiKey, startTestRelay } from '../relays/relay.ts';
import { identity } from './operation-cases.ts';
import { approval, type Script, scriptedGateway, sendSigned, sendXml, signedXml } from './scripted-gateway.ts';

type Item = Record<string, unknown>;

export const transaction_id = '00012345678901234567';

/** Answers refunds with the `result` of each item; approves payments; searches find nothing. */
export function refunding(result: (item: Item) => object | undefined): Script {
  return (received, res) => {
    if (received.path === operations.direct_payment.path) return sendXml(res, signedXml(approval(received)));
    const asked = received.message.refund_orders;
    const results = (Array.isArray(asked) ? asked : []).map((item: Item) => ({ ...item, ...result(item) }));
    sendSigned(res, { ...identity, return_status: '1', return_message: 'OK', refund_orders: results });
  };
}

export const done = { refund_status: '1', refund_message: 'V0000:OK' };
export const failed = { refund_status: '0', refund_message: 'V0001:Not now' };
export const disagreeing = { refund_status: '1', refund_message: 'V0001:Not now' };

/** A relay whose gateway answers refunds by the script, and helpers for tests of refunds. */
export async function setUp(script: Script = refunding(() => done), timeoutMs = 4000, resolve: object = {}) {
  const gateway = await scriptedGateway(script);
  const config = { resolve: { first_ms: 100, max_ms: 500, ...resolve } };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs, config });
  const items = (...amounts: string[]) =>
    amounts.map((refund_amount) => ({ transaction_id, currency: 'BRL', amount: '129.90', refund_amount }));
  const refund = (...amounts: string[]) => relay.post('/v1/refund', apiKey, { refund_orders: items(...amounts) });
  const refunds = () => gateway.sent(operations.refund.path);
  return { gateway, relay, items, refund, refunds };
}

/** Answers searches at once and holds every other answer until `answer` is called. */
export function holding(script: Script) {
  let answer = (): void => undefined;
  const held: Script = (received, res, req) => {
    if (received.path === operations.refund_search.path) script(received, res, req);
    else answer = () => script(received, res, req);
  };
  return { script: held, answer: () => answer() };
}
