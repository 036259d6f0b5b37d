import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A relay in a separate process, which can be killed without warning. */
async function relayProcess(gatewayUrl: string, webhookUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const path = join(folder, 'relay.json');
  const config = {
    listen: { port: 0 },
    public_url: 'http://127.0.0.1:0',
    store: `sqlite:${join(folder, 'turnpike.db')}`,
    gateway: { base_url: gatewayUrl },
    ...withReceiver(webhookUrl),
  };
  writeFileSync(path, JSON.stringify(config));
  const root = join(import.meta.dirname, '../../..');
  const child = spawn(process.execPath, ['relay/main.ts'], {
    cwd: root,
    env: { ...process.env, TURNPIKE_CONFIG: path },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  await until('the relay listens', () => /relay listening/.test(output));
  const url = /"url":"([^"]+)"/.exec(output)?.[1] ?? '';
  return {
    folder,
    async post(to: string, bearer: string, body: object): Promise<Record<string, unknown>> {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}${to}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.json();
    },
    async kill(): Promise<void> {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe('the receiver of webhooks', () => {
  it('may know the old or the new of two secrets', async () => {
    const fresh = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(approving);
    const config = withReceiver(receiver.url, { secrets: [fresh, webhookSecret] });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    const { raw, headers } = await receiver.one('session.approved');
    expect(new Webhook(fresh).verify(raw, headers)).toMatchObject({ type: 'session.approved' });
  });

  it('is not reached through a redirect', async () => {
    const elsewhere = await startReceiver();
    const redirecting = await startReceiver((_webhook, res) => res.writeHead(308, { location: elsewhere.url }).end());
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(redirecting.url) });
    const { secret } = await relay.session();
    await relay.pay(secret, card);
    await until('sent', () => relay.logLines.some((line) => line.includes('"fault":"http_308"')));
    expect(elsewhere.received).toEqual([]);
  });

  it.each([
    ['plain http', (port: number) => `http://127.0.0.1:${port}/`, 'scheme_refused'],
    ['a private address', (port: number) => `https://127.0.0.1:${port}/`, 'address_refused'],
    ['a name that is at a private address', (port: number) => `https://localhost:${port}/`, 'address_refused'],
  ])('is not called at %s unless that is allowed', async (_, urlAt, fault) => {
    const receiver = await startReceiver();
    const gateway = await scriptedGateway(approving);
    const config = withReceiver(urlAt(receiver.port), { allow_private: false });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    await until('refused', () => relay.logLines.some((line) => line.includes(`"fault":"${fault}"`)));
    expect(receiver.received).toEqual([]);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });

  it('gets the webhook from the next relay after a kill', async () => {
    const gateway = await scriptedGateway(approving);
    const silent = await startReceiver(() => undefined);
    const killed = await relayProcess(gateway.url, silent.url);
    const session = await killed.post('/v1/sessions', apiKey, { order: order() });
    const paid = await killed.post('/checkout/api/pay', String(session.client_secret), card);
    expect(paid).toMatchObject({ status: 'approved' });
    await killed.kill();

    const receiver = await startReceiver();
    const relay = await startTestRelay({
      gatewayUrl: gateway.url,
      config: withReceiver(receiver.url),
      folder: killed.folder,
      // If the killed relay had begun to send, its claim has expired by then.
      now: () => new Date(Date.now() + 61_000),
    });
    expect((await receiver.one('session.approved')).data).toEqual(await relay.truth(String(session.id)));
    expect(receiver.types()).toEqual(['session.approved']);
  });
});
