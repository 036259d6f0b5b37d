import { operationNames, operations } from '../../../shared/gateway/operations.ts';
import { identity, operationCases } from '../gateways/operation-cases.ts';
import {
  approval,
  type Received,
  type Script,
  scriptedGateway,
  sendSigned,
  sendXml,
  signedXml,
} from '../gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from './relay.ts';

/** Answers everything successfully: payments approved, items done. */
export const willing: Script = (received, res) => {
  if (received.path === '/v1/authorise') return sendXml(res, signedXml(approval(received)));
  const { encryption_data: _, ...echo } = received.message;
  const lists = Object.entries(echo).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.map((item) => ({ ...item, ...done })) : value,
  ]);
  const answer = { ...Object.fromEntries(lists), ...identity, return_status: '1', return_message: 'OK', ...done };
  sendSigned(res, answer);
};
const done = {
  refund_status: '1',
  refund_message: 'V0000:OK',
  review_status: '1',
  capture_status: '1',
  cancel_status: '1',
  status: 'COMPLETED',
};

/** The relay searches for a payment's refunds before it sends another. */
export const isSearch = ({ path }: Received): boolean => path === operations.refund_search.path;

export const payment = (): object => ({ ...order(), ...card });

/** Every POST under /v1 with a request that it accepts. */
export const routes: Record<string, () => object> = {
  '/v1/sessions': () => ({ order: order() }),
  '/v1/payments': payment,
  ...Object.fromEntries(
    operationNames.flatMap((name) => {
      const operation = operations[name];
      if (!('route' in operation) || name === 'direct_payment' || name === 'apm_payment') return [];
      return [[operation.route.path, () => operationCases[name].least]];
    }),
  ),
};

export async function setUp(
  script: Script = willing,
  options: { timeoutMs?: number; now?: () => Date; folder?: string } = {},
) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 30_000, ...options });
  const post = (path: string, body: unknown, key: string, bearer = apiKey) =>
    relay.post(path, bearer, body, { 'idempotency-key': key });
  return { gateway, relay, post };
}

export function changed(body: object): object {
  const text = JSON.stringify(body);
  const other = text.replace(/"(A-1|R-1|ben-1|M|T-[\d-]+|00012345678901234568)"/, '"changed"');
  if (other === text) throw new Error('nothing was changed');
  return JSON.parse(other);
}
