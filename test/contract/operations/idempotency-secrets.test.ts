import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import {
  approval,
  drop,
  type Script,
  scriptedGateway,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { changed, payment, routes, setUp, willing } from '../../support/relays/idempotent.ts';
import { account, apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

/** The account with another signing secret, and these previous secrets. */
function rotated(...previous_signing_secrets: string[]) {
  const { merchant_id, account_id } = account;
  return {
    ...{ id: 'demo', merchant_id, account_id, signing_secret: 'the next secret', previous_signing_secrets },
    allowed_origins: ['http://127.0.0.1:8082'],
    api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
  };
}

describe('an Idempotency-Key', () => {
  it('returns the first answer after the signing secret changed, too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(willing, { folder });
    const made: Record<string, Awaited<ReturnType<typeof one.post>>> = {};
    const paths = ['/v1/sessions', '/v1/payments', '/v1/refund', '/v1/payout'];
    const bodies = Object.fromEntries(paths.map((path) => [path, routes[path]?.() ?? {}]));
    for (const path of paths) made[path] = await one.post(path, bodies[path], 'k-1');
    await one.relay.stop();

    const gateway = await scriptedGateway(willing);
    const accounts = [rotated('older', account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    for (const path of paths) {
      const again = await relay.post(path, apiKey, bodies[path], { 'idempotency-key': 'k-1' });
      expect(again.status, `${path} ${again.text}`).toBe(made[path]?.status);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text, path).toBe(made[path]?.text);
      const other = await relay.post(path, apiKey, changed(bodies[path] ?? {}), { 'idempotency-key': 'k-1' });
      expect(other, path).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(other.body.detail, path).toMatch(/if this is a new request, give it a new key\.$/);
    }
    await relay.stop();
    // Requests under an unlisted secret cannot be compared any more.
    const withoutOldSecret = await startTestRelay({
      gatewayUrl: gateway.url,
      folder,
      config: { accounts: [rotated()] },
    });
    for (const path of paths) {
      const again = await withoutOldSecret.post(path, apiKey, bodies[path], { 'idempotency-key': 'k-1' });
      expect(again, path).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      // Under a new key the same refund would be sent again.
      expect(again.body.detail, path).toMatch(/Do not send the request again, under a new key either,/);
      const made = path === '/v1/refund' || path === '/v1/payout' ? /^op_/ : /^cs_/;
      expect(again.body.operation_id, path).toMatch(made);
    }
    expect(gateway.received).toEqual([]);
  });

  // The first is hashed. The second holds a card number inside a longer number, which another version may also hash.
  it.each(['5105105105105100', '4000001234567899173'])(
    '%s sends no refund twice after the secret changed',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
      const one = await setUp(willing, { folder });
      const body = operationCases.refund.least;
      const first = await one.post('/v1/refund', body, name);
      expect(first.status, first.text).toBe(200);
      await one.relay.stop();
      const gateway = await scriptedGateway(willing);
      const accounts = [rotated(account.signingSecret)];
      const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
      const again = await relay.post('/v1/refund', apiKey, body, { 'idempotency-key': name });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
      const other = await relay.post('/v1/refund', apiKey, changed(body), { 'idempotency-key': name });
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(gateway.received).toEqual([]);
    },
  );

  it('that contains a card number still matches after the secret changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const declining: Script = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Do not honour' }));
    const one = await setUp(declining, { folder });
    const session = await one.relay.session();
    const name = { 'idempotency-key': '5105105105105100' };
    expect((await one.relay.post('/checkout/api/pay', session.secret, card, name)).body).toMatchObject({
      status: 'declined',
    });
    await one.relay.stop();
    const gateway = await scriptedGateway(declining);
    const accounts = [rotated(account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    const again = await relay.post('/checkout/api/pay', session.secret, card, name);
    expect(again).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.received).toEqual([]);
  });

  it('matches a card number stored unhashed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(willing, { folder });
    const body = operationCases.refund.least;
    const first = await one.post('/v1/refund', body, 'k-1');
    await one.relay.stop();
    const file = new DatabaseSync(join(folder, 'turnpike.db'));
    file.prepare('UPDATE idempotency_keys SET key = ?').run('5105105105105100');
    file.close();
    const { gateway, post } = await setUp(willing, { folder });
    const again = await post('/v1/refund', body, '5105105105105100');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(gateway.received).toEqual([]);
  });

  it('of an unknown payment still matches after the secret changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(drop, { folder });
    const body = payment();
    const first = await one.post('/v1/payments', body, 'k-1');
    expect(first.body.status, first.text).toBe('unknown');
    await one.relay.stop();
    const gateway = await scriptedGateway(drop);
    const accounts = [rotated(account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    const again = await relay.post('/v1/payments', apiKey, body, { 'idempotency-key': 'k-1' });
    expect(again).toMatchObject({ status: 409, body: { code: 'outcome_unknown', operation_id: first.body.id } });
    expect(gateway.sent('/v1/authorise')).toEqual([]);
  });
});
