import { once } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  approval,
  approving,
  type Script,
  scriptedGateway,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { bodyOf } from '../../support/http/http-server.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';
import { until } from '../../support/time/until.ts';

/** A gateway that approves a payment when the test allows it. */
function slow() {
  const approved = Promise.withResolvers<void>();
  const script: Script = (received, res) =>
    void approved.promise.then(() => sendXml(res, signedXml(approval(received))));
  return { script, answer: approved.resolve };
}

/** What ends within a test's time did not wait for either of these limits. */
const longTimeouts = { timeoutMs: 600_000, config: { shutdown_ms: 600_000 } };

async function running(script: Script, options: { timeoutMs?: number; config?: object; nodeOptions?: string[] } = {}) {
  const gateway = await scriptedGateway(script);
  const relay = spawnRelay({ gatewayUrl: gateway.url, ...options });
  const url = await relay.listening();
  const post = (path: string, bearer: string, body: object, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  const session = async () => (await post('/v1/sessions', apiKey, { order: order() })).json();
  /** Pays, and waits until the gateway has received the payment. */
  const paying = async (signal?: AbortSignal) => {
    const { id, client_secret } = await session();
    const before = gateway.authorised().length;
    const answer = post('/checkout/api/pay', client_secret, card, signal);
    answer.catch(() => undefined);
    await until('the gateway has the payment', () => gateway.authorised().length > before);
    return { id: String(id), answer };
  };
  const stopping = () => until('it stops', () => /relay stopping/.test(relay.output.out));
  return { gateway, relay, url, session, paying, stopping };
}

/** A socket that is kept for the next request. */
function getAlive(url: string, agent: Agent): Promise<{ connection: string | undefined; status: number | undefined }> {
  return new Promise((done, failed) => {
    request(url, { agent }, async (res) => {
      await bodyOf(res);
      done({ connection: res.headers.connection, status: res.statusCode });
    })
      .on('error', failed)
      .end();
  });
}

describe('a relay that receives a signal to stop', () => {
  it('finishes payments in progress, also after two signals, and exits cleanly', async () => {
    const { script, answer: approve } = slow();
    const { gateway, relay, url, paying, stopping } = await running(script, longTimeouts);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    expect(await getAlive(`${url}/healthz`, agent)).toMatchObject({ connection: 'keep-alive' });
    const { answer } = await paying();
    const gone = new AbortController();
    const ofGone = await paying(gone.signal);
    gone.abort();
    await until('the relay detects the disconnect', () =>
      relay.output.out.includes('caller disconnected before the answer'),
    );
    relay.child.kill('SIGTERM');
    await stopping();
    // A kept-alive connection may be used once more.
    expect(await getAlive(`${url}/healthz`, agent)).toMatchObject({ status: 200, connection: 'close' });
    relay.child.kill('SIGINT');
    const connects = () => getAlive(`${url}/healthz`, new Agent()).then(Boolean, () => false);
    await until('connections are refused', async () => !(await connects()));
    approve();
    const response = await answer;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({ status: 'approved' });
    expect(await relay.exited).toBe(0);
    expect(gateway.authorised()).toHaveLength(2);
    const answered = relay.output.out.split('\n').filter((line) => line.includes('payment answered'));
    expect(answered.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ session: ofGone.id, outcome: 'approved' }),
    );
  });

  it('aborts unfinished work after shutdown_ms, lists it, and exits with 1', async () => {
    const { relay, paying } = await running(() => undefined, { timeoutMs: 600_000, config: { shutdown_ms: 700 } });
    const { answer } = await paying();
    const startedAt = performance.now();
    relay.child.kill('SIGTERM');
    expect(await relay.exited).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
    await expect(answer).rejects.toThrow();
    const cut = relay.output.out.split('\n').find((line) => line.includes('request cut by the stop'));
    expect(JSON.parse(cut ?? '{}')).toMatchObject({
      request_id: expect.stringMatching(/^req_/),
      route: '/checkout/api/pay',
    });
    expect(relay.output.out + relay.output.err).not.toContain(card.card);
  });

  it('waits for no idle connection and no endless request', async () => {
    const { relay, url } = await running(approving, longTimeouts);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    expect(await getAlive(`${url}/healthz`, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
    const { port } = new URL(url);
    const headers = { 'content-length': 100, expect: '100-continue' };
    const half = request({ port, method: 'POST', path: '/v1/sessions', headers });
    half.on('error', () => undefined).flushHeaders();
    await once(half, 'continue');
    half.write('{');
    relay.child.kill('SIGTERM');
    expect(await relay.exited).toBe(0);
  });
});

describe('a relay that fails', () => {
  it('reports where an uncaught error was thrown, without a Node report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const bug = join(folder, 'bug.mjs');
    // Like a handler that does not wait for its promise.
    writeFileSync(
      bug,
      `process.on('SIGUSR2', () => void Promise.reject(new TypeError('no such card: ${card.card}')));`,
    );
    const reports = mkdtempSync(join(tmpdir(), 'turnpike-'));
    // A report would contain the secrets of the environment.
    const reporting = ['--report-on-signal', '--report-uncaught-exception', `--report-directory=${reports}`];
    const { relay } = await running(approving, { nodeOptions: [...reporting, '--import', bug] });
    relay.child.kill('SIGUSR2');
    expect(await relay.exited).toBe(1);
    const last = relay.output.out.trim().split('\n').at(-1) ?? '{}';
    expect(JSON.parse(last)).toMatchObject({ level: 'fatal', error: 'TypeError' });
    expect(relay.output.out + relay.output.err).not.toContain(card.card);
    expect(relay.output.err).toBe('');
    expect(readdirSync(reports)).toEqual([]);
  });

  it('lists the log levels when another one is configured', async () => {
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: { LOG_LEVEL: 'loud' } });
    expect(await relay.exited).toBe(1);
    expect(relay.output.err).toContain('"LOG_LEVEL: must be one of trace, debug, info,');
  });

  it('uses its configured name on log lines, and refuses invalid names', async () => {
    const named = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: { TURNPIKE_INSTANCE: 'eu-1' } });
    await expect.poll(() => named.output.out).toContain('relay listening');
    const [line = '{}'] = named.output.out.split('\n').filter((text) => text.includes('relay listening'));
    expect(JSON.parse(line)).toMatchObject({ level: 'info', instance: 'eu-1' });
    const wrong = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', env: { TURNPIKE_INSTANCE: 'two words' } });
    expect(await wrong.exited).toBe(1);
    expect(wrong.output.err).toContain('"TURNPIKE_INSTANCE: must be');
  });

  it('reports in one line that its store cannot be opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    writeFileSync(join(folder, 'turnpike.db'), 'this is no database, and it is long enough to be looked at closely');
    const store = `sqlite:${join(folder, 'turnpike.db')}`;
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { store } });
    expect(await relay.exited).toBe(3);
    expect(JSON.parse(relay.output.err)).toMatchObject({
      ...{ level: 'fatal', class: 'store', code: 'SQLITE_NOTADB', exit_code: 3 },
      msg: expect.stringMatching(/^The relay cannot open its store/),
    });
  });

  it('says that its store is of a newer version', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 9999');
    db.close();
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { store: `sqlite:${path}` } });
    expect(await relay.exited).toBe(4);
    expect(JSON.parse(relay.output.err)).toMatchObject({ class: 'version', code: 'SCHEMA_VERSION', exit_code: 4 });
  });
});
