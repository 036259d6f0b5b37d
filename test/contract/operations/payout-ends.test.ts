import { describe, expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { documented } from '../../support/relays/documented.ts';
import { account, apiKey, startTestRelay } from '../../support/relays/relay.ts';

const request_id = '5b1d6a3e-2f0a-4d7e-9d43-0d7f2f1f9a11';
const profile = { codes: { payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] } } };
const payout = { request_id, beneficiary_id: 'B-1', payment_amount: '1000', payment_currency: 'USD' };

function signed(fields: Record<string, unknown>): string {
  return JSON.stringify({ ...fields, encryption_data: sign(fields, account.signingSecret) });
}

const said = (status: string, more: Record<string, unknown> = {}): string =>
  signed({ request_id, transaction_id: 'PT-1', status, ...more });

const dated = (status: string, minute: string): string =>
  said(status, { last_updated_at: `2026-03-01T10:${minute}:00+0000` });

describe.each(stores)('the end of a payout, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A pending payout, and the gateway's messages to its notify_url. */
  async function setUp(script: Script = pending) {
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(script);
    const config = { ...withReceiver(receiver.url), ...(await newStore()) };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 4000, profile, config });
    const pay = (more: object = {}) => relay.post('/v1/payout', apiKey, { ...payout, ...more });
    const { headers, body } = await pay();
    const id = String(headers.get('x-operation-id') ?? body.operation_id);
    const path = new URL(String(gateway.received[0]?.message.notify_url)).pathname;
    return {
      receiver,
      gateway,
      relay,
      id,
      pay,
      notify: async (text: string) => {
        expect((await relay.send(path, { method: 'POST', body: text })).status).toBe(200);
      },
      truth: async () => (await relay.get(`/v1/operations/${id}`, apiKey)).body,
      settle: (outcome: string) => relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome }),
    };
  }

  const pending: Script = ({ message }, res) => {
    const { encryption_data: _, ...echo } = message;
    res.end(signed({ ...echo, transaction_id: 'PT-1', status: 'PENDING' }));
  };

  it('stays failed when an old notification is repeated', async () => {
    const { receiver, notify, truth } = await setUp();
    const old = dated('COMPLETED', '01');
    for (const body of [old, dated('FAILED', '02')]) await notify(body);
    const failed = { status: 'answered', items: ['failed'], answer: { status: 'FAILED' } };
    const { payout: _, ...whole } = await truth();
    expect(whole).toMatchObject(failed);
    for (const body of [old, said('COMPLETED', { last_updated_at: '2026-03-01T10:01:00+0000', note: 'anew' })])
      await notify(body);
    const { payout: __, ...after } = await truth();
    expect(after).toEqual(whole);
    await notify('anything');
    await receiver.one('payout.notified');
    const completed = receiver.received.filter(({ type }) => type === 'operation.completed');
    expect(completed.map(({ data }) => data.items)).toMatchObject([[{ status: 'succeeded' }], [{ status: 'failed' }]]);
  });

  it('waits for a person when no time shows which is later', async () => {
    const { receiver, relay, notify, truth, settle, id } = await setUp();
    const [completed, failed] = [said('COMPLETED'), said('FAILED', { last_updated_at: '2026-03-01T10:02:00+0000' })];
    await notify(completed);
    expect(await truth()).toMatchObject({ items: ['succeeded'] });
    await notify(failed);
    const unknown = { reason: 'ends_disagree', needs_attention: true };
    expect(await truth()).toMatchObject({ status: 'answered', items: ['unknown'], unknown });
    documented().check('get', '/v1/operations/{id}', await relay.get(`/v1/operations/${id}`, apiKey));
    expect((await receiver.one('operation.unknown')).data).toMatchObject({ id, unknown });
    const waiting = await relay.get('/v1/operations?needs_attention=true', apiKey);
    expect(waiting.body).toMatchObject({ operations: [{ id, unknown }] });
    expect(relay.logLines.join('')).toContain('contradicting payout notifications');

    await notify(completed);
    await notify(failed);
    expect(await truth(), 'what was applied is old').toMatchObject({
      items: ['unknown'],
      answer: { status: 'FAILED' },
    });
    expect(await settle('failed')).toMatchObject({ status: 200, body: { status: 'settled', items: ['failed'] } });
    const settled = await truth();
    for (const body of [completed, failed, said('FAILED', { note: 'agrees' })]) await notify(body);
    expect(await truth()).toMatchObject({ status: 'settled', items: ['failed'], settled_at: settled.settled_at });
    await notify(said('COMPLETED', { note: 'contradicts' }));
    expect(await truth(), 'a person decided that').toMatchObject({ status: 'settled', items: ['failed'] });
    expect((await receiver.one('payout.notified')).data).toMatchObject({
      ...{ id, status: 'settled', verified: true, notification: { status: 'COMPLETED' } },
    });
    await notify(dated('COMPLETED', '03'));
    expect(await truth()).toMatchObject({
      status: 'answered',
      items: ['succeeded'],
      settlement: { items: ['failed'] },
    });
  });

  it.each(['PENDING', 'SETTLED'])('does not revert when %s comes later', async (status) => {
    const { receiver, notify, truth } = await setUp();
    await notify(dated('COMPLETED', '01'));
    const ended = await truth();
    expect(ended).toMatchObject({ status: 'answered', items: ['succeeded'] });
    for (let n = 0; n < 2; n++) await notify(dated(status, '30'));
    const { payout: _, ...truthAfter } = await truth();
    expect(ended).toMatchObject(truthAfter);
    expect((await receiver.one('payout.notified')).data).toMatchObject({ verified: true, notification: { status } });
    await notify(dated('FAILED', '20'));
    expect(await truth(), 'later than the end').toMatchObject({ items: ['failed'] });
  });

  it('counts although it is notified after a later status', async () => {
    const { notify, truth } = await setUp();
    await notify(dated('PENDING', '30'));
    await notify(dated('FAILED', '01'));
    expect(await truth()).toMatchObject({ status: 'answered', items: ['failed'] });
  });

  it('is decided by a later notification, despite an earlier contradiction', async () => {
    const { notify, truth } = await setUp();
    await notify(dated('COMPLETED', '01'));
    await notify(dated('FAILED', '01'));
    expect(await truth()).toMatchObject({ items: ['unknown'], unknown: { reason: 'ends_disagree' } });
    await notify(dated('COMPLETED', '03'));
    const end = await truth();
    expect(end).toMatchObject({ status: 'answered', items: ['succeeded'], answer: { status: 'COMPLETED' } });
    expect(end).not.toHaveProperty('unknown');
  });

  it('is not changed by an earlier notification', async () => {
    const { notify, truth } = await setUp();
    await notify(dated('PROCESSING', '01'));
    await notify(said('COMPLETED'));
    expect((await truth()).answer, 'the time was of another status').not.toHaveProperty('last_updated_at');
    await notify(dated('FAILED', '02'));
    expect(await truth()).toMatchObject({ items: ['unknown'], unknown: { reason: 'ends_disagree' } });
  });

  it.each<[string, Script, number]>([
    ['was refused', (_received, res) => void res.writeHead(400).end('Invalid input'), 422],
    ['is unknown', (_received, res) => void res.destroy(), 409],
  ])('keeps its request_id if it %s', async (_, script, status) => {
    const { gateway, pay, id, notify, truth } = await setUp(script);
    expect(await pay()).toMatchObject({ status: 409, body: { code: 'request_id_used', operation_id: id } });
    expect(gateway.received).toHaveLength(1);
    await notify(said('COMPLETED'));
    expect(await truth()).toMatchObject({ status: 'answered', items: ['succeeded'] });
    const other = await pay({ request_id: 'a0000000-0000-4000-8000-000000000001' });
    expect(other.status).toBe(status);
    expect(gateway.received).toHaveLength(2);
  });
});
