import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { isRouted, type Routed, routed, sendRequest, setUp } from '../../support/gateways/profile-views.ts';
import { approving } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card } from '../../support/relays/relay.ts';

/** Signs `merchant_id` and one more field of each operation, and no answers. */
const concat = (names: readonly OperationName[]) => ({
  scheme: 'concat',
  algorithm: 'sha256',
  fields: Object.fromEntries(names.map((name) => [name, ['merchant_id', fieldOf(name)]])),
  separator: '-',
  secret: 'append',
});
const verify = Object.fromEntries(operationNames.map((name) => [name, 'off']));

/**
 * The signed field: a payment's order number, the list of a batch, or the first field of the operation's smallest
 * message.
 */
function fieldOf(name: OperationName): string {
  if (!isRouted(name)) return 'order_no';
  const { batch }: Operation = operations[name];
  return batch?.list ?? Object.keys(operationCases[name].least)[0] ?? '';
}

/** Writes a signing module into a file. */
function moduleOf(source: string): { scheme: 'module'; path: string } {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'signer.mjs');
  writeFileSync(path, source);
  return { scheme: 'module', path };
}

describe('concat signing', () => {
  const lists: Partial<Record<Routed, string>> = {
    refund: '[{"amount":"1000.00","currency":"JPY","refund_amount":"1.00","transaction_id":"00012345678901234568"}]',
    review: '[{"amount":"1000.00","currency":"JPY","review_flag":"0","transaction_id":"00012345678901234568"}]',
    capture: '[{"amount":"1000.00","currency":"JPY","transaction_id":"00012345678901234568"}]',
    cancel: '[{"amount":"1000.00","currency":"JPY","transaction_id":"00012345678901234568"}]',
  };
  const onWire = (name: Routed): string => lists[name] ?? String(Object.values(operationCases[name].least)[0]);

  it.each(routed)('signs the fields of %s', async (name) => {
    const { answer, received } = await sendRequest({ signing: concat([name]), verify }, name);
    expect(answer.status).toBe(200);
    expect(received[0]?.message.encryption_data).toBe(
      createHash('sha256')
        .update(`100001-${onWire(name)}-k3y-for-tests`)
        .digest('hex'),
    );
  });

  it.each(routed)('refuses to send %s without signed fields, and says so', async (name) => {
    const others = operationNames.filter((other) => other !== name);
    const { answer, received } = await sendRequest({ signing: concat(others), verify }, name);
    expect(answer).toMatchObject({ status: 501, body: { code: 'operation_not_configured' } });
    expect(answer.body.detail).toContain(`gateway.profile.signing.fields has no ${name}`);
    expect(received).toEqual([]);
  });

  it('sends no payment without signed fields and keeps the session open', async () => {
    const { gateway, relay } = await setUp({ signing: concat(['query']), verify }, approving);
    const { id, secret } = await relay.session();
    expect(await relay.pay(secret, card)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
    expect(gateway.received).toEqual([]);
    const warning = relay.logLines.find((line) => line.includes('operations without signing.fields')) ?? '{}';
    expect(JSON.parse(warning).operations).toEqual(operationNames.filter((name) => name !== 'query'));
  });
});

describe('a signing module', () => {
  it('that throws sends nothing, and its error is not disclosed', async () => {
    const signing = moduleOf('export function sign() { throw new Error("hunter2"); }');
    const { gateway, relay } = await setUp({ signing }, approving);
    const { id, secret } = await relay.session();
    expect(await relay.pay(secret, card)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
    expect(await relay.post('/v1/query', apiKey, { orders: ['A'] })).toMatchObject({ status: 503 });
    expect(gateway.received).toEqual([]);
    expect(relay.logLines.join()).toContain('"operation":"direct_payment","direction":"request","reason":"threw"');
    expect([...relay.answers, ...relay.logLines].join()).not.toContain('hunter2');
  });

  it('that throws for an answer leaves the outcome unknown', async () => {
    const source = 'export const sign = (_, { direction }) => { if (direction === "answer") throw 1; return "s"; };';
    const { gateway, relay } = await setUp({ signing: moduleOf(source) }, approving, false);
    const { id, secret } = await relay.session();
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'unknown' });
    expect(await relay.truth(id)).toMatchObject({ unknown: { reason: 'signature_not_checkable' } });
    expect(gateway.authorised()).toHaveLength(1);
  });
});

describe('an answer in JSON', () => {
  it('proves nothing if it contains a field twice', async () => {
    const twice = '{"merchant_id":"100001","account_id":"200001","return_status":"0","return_status":"1"}';
    const { relay } = await setUp({}, (_received, res) => void res.end(twice));
    const answer = await relay.post('/v1/query', apiKey, { orders: ['A'] });
    expect(answer).toMatchObject({ status: 502, body: { detail: expect.stringContaining('repeated_field') } });
  });
});
