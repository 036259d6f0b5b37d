import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../support/http/free-port.ts';
import { serve } from '../../support/http/http-server.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { testsAll } from '../../support/tests-all.ts';
import { until } from '../../support/time/until.ts';

type Answer = { status: number; body: Record<string, unknown> };

const ready = z.looseObject({ lost: z.array(z.looseObject({ part: z.string() })) });

/** The readiness without the disk, whose commits are slow on a busy machine. */
async function readiness(url: string): Promise<Answer> {
  const answer = await fetch(`${url}/readyz`);
  const body = ready.parse(await answer.json());
  return { status: answer.status, body: { ...body, lost: body.lost.filter(({ part }) => part !== 'disk') } };
}

const AS_SHOP = `authorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\n`;

const metrics = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

async function send(url: string, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const payments = async (url: string): Promise<number> =>
  (await send(url, '/v1/payments', { ...order(), ...card })).status;
const sessions = (url: string): Promise<Response> => send(url, '/v1/sessions', { order: order() });

/** A gateway with a certificate that is valid for `days`, and the environment of a relay that trusts it. */
async function secureGateway({ days, isTrusted = false }: { days: number; isTrusted?: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const [key, request, certificate] = [join(folder, 'key'), join(folder, 'request'), join(folder, 'certificate')];
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  openssl('req', '-new', ...pair, '-subj', '/CN=gateway', '-out', request);
  openssl('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-out', certificate);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_req, res) => res.end());
  onTestFinished(() => void server.close());
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const env = isTrusted ? { NODE_EXTRA_CA_CERTS: certificate } : {};
  return { gatewayUrl: `https://127.0.0.1:${port}`, env };
}

describe('a relay whose gateway is gone', () => {
  it.each([
    ['does not listen', async () => ({ gatewayUrl: `http://127.0.0.1:${await freePort()}` }), /^ECONNREFUSED$/],
    ['has no name', async () => ({ gatewayUrl: 'https://gateway.invalid' }), /^(?:ENOTFOUND|EAI_AGAIN)$/],
    ['signs its own certificate', () => secureGateway({ days: 1 }), /^DEPTH_ZERO_SELF_SIGNED_CERT$/],
    ['has an expired certificate', () => secureGateway({ days: 0, isTrusted: true }), /^CERT_HAS_EXPIRED$/],
  ])('says why once where it %s', async (_, gatewayOf, code) => {
    const { gatewayUrl, env = {} }: { gatewayUrl: string; env?: Record<string, string> } = await gatewayOf();
    const isLocal = gatewayUrl.startsWith('http:');
    const profile = { signing: { scheme: 'canonical' }, codes: {} };
    const config = isLocal ? {} : { gateway: { base_url: gatewayUrl, profile } };
    const relay = spawnRelay({ gatewayUrl, config, env });
    const url = await relay.listening();
    for (const _time of [1, 2]) expect(await payments(url)).toBe(503);
    const lost = [{ part: 'gateway', code: expect.stringMatching(code), since: expect.any(String) }];
    expect(await readiness(url)).toEqual({ status: 200, body: { status: 'ready', lost } });
    await until('both are logged', () => relay.lines('gateway called').length === 2);
    expect(relay.lines('gateway not reached')).toMatchObject([{ level: 'error', part: 'gateway' }]);
    expect(relay.lines('gateway called')).toMatchObject([{ result: 'not_sent' }, { result: 'not_sent' }]);
    for (const line of relay.lines('gateway called')) expect(line.code).toMatch(code);
    expect(await metrics(url)).toMatch(
      new RegExp(`turnpike_lost{part="gateway",code="${code.source.slice(1, -1)}"} 1`),
    );
  });

  it('says once that it is back', async () => {
    const port = await freePort();
    const relay = spawnRelay({ gatewayUrl: `http://127.0.0.1:${port}` });
    const url = await relay.listening();
    await payments(url);
    const gateway = await serve((_req, res) => void res.writeHead(503).end(), port);
    onTestFinished(gateway.close);
    for (const _time of [1, 2]) await payments(url);
    await until('it is logged', () => relay.lines('gateway is back').length > 0);
    expect(relay.lines('gateway is back')).toMatchObject([{ level: 'info', part: 'gateway', code: 'ECONNREFUSED' }]);
    expect(await readiness(url)).toEqual({ status: 200, body: { status: 'ready', lost: [] } });
    const text = await metrics(url);
    expect(text).not.toContain('turnpike_lost{part="gateway",code="ECONNREFUSED"}');
    expect(text).toContain('turnpike_losses_total{part="gateway",code="ECONNREFUSED"} 1');
  });
});

// `npm run rehearse` plays these under load.
describe.runIf(testsAll)('a relay whose PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** A relay whose store's address is in a file, with a role of its own. */
  async function setUp(role: string) {
    const owner = await postgres.database();
    const name = new URL(owner).pathname.slice(1);
    const change = (password: string) => postgres.query(owner, `ALTER ROLE ${role} PASSWORD '${password}'`);
    await postgres.query(owner, `CREATE ROLE ${role} LOGIN PASSWORD 'first-secret'`);
    await postgres.query(owner, `ALTER DATABASE ${name} OWNER TO ${role}`);
    const file = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'store');
    const write = (password: string, user = role): void => {
      const address = new URL(owner);
      [address.username, address.password] = [user, password];
      writeFileSync(file, address.href);
    };
    write('first-secret');
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`;
    const cut = () => postgres.query(owner, end);
    const gateway = await serve((_req, res) => void res.writeHead(503).end());
    onTestFinished(gateway.close);
    const relay = spawnRelay({ gatewayUrl: gateway.url, config: { store: { file } } });
    const query = (sql: string) => postgres.query(owner, sql);
    return { relay, url: await relay.listening(), change, write, cut, query };
  }

  const isLost = (part: string) => async (url: string) => JSON.stringify((await readiness(url)).body).includes(part);

  it('is reported once with its code, and once when back', async () => {
    const { relay, url } = await setUp('stopped');
    await postgres.stop();
    await until('it is not ready', async () => (await readiness(url)).status === 503);
    const { body } = await readiness(url);
    const code = expect.stringMatching(/^(?:57P0\d|ECONNREFUSED|ECONNRESET)$/);
    expect(body).toEqual({ status: 'not_ready', lost: [{ part: 'store', code, since: expect.any(String) }] });
    expect(await payments(url)).toBe(503);
    expect(await metrics(url)).toMatch(/turnpike_lost\{part="store",code="\w+"\} 1/);
    await postgres.start();
    await until('it is logged', () => relay.lines('store is back').length > 0);
    expect(relay.lines('store lost')).toMatchObject([{ level: 'error', part: 'store', code }]);
    expect(relay.lines('store is back')).toHaveLength(1);
    const failed = [...relay.lines('request failed'), ...relay.lines('poll failed, will retry')];
    expect(failed.filter(({ level, reason }) => level !== 'warn' || typeof reason !== 'string')).toEqual([]);
  });

  it('refuses its password reports this, and recovers with the right one', async () => {
    const { relay, url, change, write, cut } = await setUp('refused');
    await change('other-secret');
    await until('it is lost, and has no connection from before', async () => {
      await cut();
      return (await isLost('28P01')(url)) && (await readiness(url)).status === 503;
    });
    expect(await readiness(url)).toMatchObject({ status: 503, body: { lost: [{ part: 'store', code: '28P01' }] } });
    write('other-secret');
    await until('it is ready', async () => (await readiness(url)).status === 200);
    await until('it is logged', () => relay.lines('store is back').length > 0);
    for (const secret of ['first-secret', 'other-secret']) expect(relay.output.out).not.toContain(secret);
  });

  it.each([
    ['before', 'early'],
    ['after', 'late'],
  ])('has another password loses nothing where the file is written %s', async (when, role) => {
    const { relay, url, change, write, cut } = await setUp(role);
    if (when === 'before') {
      write('other-secret');
      relay.child.kill('SIGHUP');
      await until('it is reloaded', () => relay.lines('configuration reloaded').length > 0);
      await cut();
      await until('it has connected by the password before', async () => (await readiness(url)).status === 200);
      await change('other-secret');
    } else {
      write('other-secret');
      await change('other-secret');
    }
    await cut();
    await until('it is ready', async () => (await readiness(url)).status === 200);
    expect(relay.lines('store lost').filter(({ code }) => code === '28P01')).toEqual([]);
  });

  it('gets a second role keeps its tables, and loses nothing', async () => {
    const { relay, url, write, cut, query } = await setUp('turnpike_a');
    const page = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
    const [, making = '', ending = ''] = /```sql\n(CREATE ROLE turnpike2.*?)```.*?```sql\n(.*?)```/s.exec(page) ?? [];
    const ofTest = (sql: string): string => sql.replaceAll(/\bturnpike\b/g, 'turnpike_a').replace('…', 'b-secret');
    await query(ofTest(making));
    write('b-secret', 'turnpike2');
    relay.child.kill('SIGHUP');
    await until('it is reloaded', () => relay.lines('configuration reloaded').length > 0);
    await query(ofTest(ending));
    const roles = async () => {
      await cut();
      const rows = await query("SELECT usename FROM pg_stat_activity WHERE application_name LIKE 'turnpike%'");
      return new Set(rows.map(({ usename }) => usename));
    };
    await until('its connections have the role', async () => {
      const now = await roles();
      return now.has('turnpike2') && now.size === 1;
    });
    await until('it is ready', async () => (await readiness(url)).status === 200);
    expect((await sessions(url)).status).toBe(201);
    expect(await query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'turnpike'")).toEqual([
      { tableowner: 'turnpike_a' },
    ]);
    expect(relay.lines('store lost').filter(({ code }) => /^28|^42/.test(String(code)))).toEqual([]);
  });
});

describe('a relay that runs out of', () => {
  /** Connections on which nothing is sent. */
  function idle(url: string, count: number): Socket[] {
    const { port, hostname } = new URL(url);
    return Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      return socket;
    });
  }

  it('connections logs this, and when some are free again', async () => {
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { server: { max_connections: 5 } } });
    const url = await relay.listening();
    const sockets = idle(url, 20);
    const message = 'connections refused: server.max_connections reached';
    await until('it is logged', () => relay.lines(message).length > 0);
    for (const socket of sockets) socket.destroy();
    await until('it is over', () => relay.lines('connections are accepted again').length > 0);
    expect(relay.lines(message)).toMatchObject([{ level: 'error', part: 'connections', code: 'MAX_CONNECTIONS' }]);
    expect((await readiness(url)).status).toBe(200);
  });

  it('connections of the console has descriptors left', async () => {
    const port = await freePort();
    const people = [{ name: 'ada', scopes: ['*'], accounts: ['demo'] }];
    const relay = spawnRelay({
      gatewayUrl: 'http://127.0.0.1:9',
      config: {
        server: { headers_ms: 600_000, request_ms: 600_000 },
        trust_proxy: ['127.0.0.1'],
        console: { listen: { port }, people, trust_header: 'X-User' },
      },
      descriptors: 128,
    });
    const url = await relay.listening();
    const sockets = [url, `http://127.0.0.1:${port}`].flatMap((address) => idle(address, 100));
    await until('the others are refused', () => sockets.filter(({ closed }) => closed).length >= 136);
    const message = 'connections refused: server.max_connections reached';
    await until('it is logged', () => relay.lines(message).length > 0);
    for (const socket of sockets) socket.destroy();
    await until('it is over', () => relay.lines('connections are accepted again').length > 0);
    expect(relay.lines(message)).toHaveLength(1);
    expect(relay.lines('file descriptors used up')).toEqual([]);
  });

  it('file descriptors logs this, and when some are free again', async () => {
    const limits = { headers_ms: 600_000, request_ms: 600_000 };
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { server: limits }, descriptors: 64 });
    const url = await relay.listening();
    const sockets = idle(url, 100);
    await until('it is logged', () => relay.lines('file descriptors used up').length > 0);
    for (const socket of sockets) socket.destroy();
    await until('it is over', () => relay.lines('file descriptors are free again').length > 0);
    expect(relay.lines('file descriptors used up')).toMatchObject([{ part: 'descriptors', code: 'EMFILE' }]);
  });

  it.each([
    ['a silent connection', { headers_ms: 100 }, '', /^$|^HTTP\/1.1 408 /],
    [
      'a body',
      { request_ms: 1000 },
      `POST /v1/sessions HTTP/1.1\r\nhost: a\r\n${AS_SHOP}content-length: 9\r\n\r\n`,
      /^$|^HTTP\/1.1 408 /,
    ],
    // The default is five seconds.
    [
      'an idle connection',
      { idle_ms: 2000 },
      'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
      /^HTTP\/1.1 200 .*\r\nKeep-Alive: timeout=2\r\n/s,
    ],
  ])('patience with %s closes it', async (_, server, sent, answer) => {
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { server } });
    const [socket] = idle(await relay.listening(), 1);
    let received = '';
    let isClosed = false;
    socket?.once('close', () => {
      isClosed = true;
    });
    socket?.on('data', (data) => {
      received += String(data);
    });
    socket?.write(sent);
    await until('it is closed', () => isClosed);
    expect(received).toMatch(answer);
  });
});
