import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { bodyOf, serve } from '../../support/http/http-server.ts';
import { type ReceivedWebhook, startReceiver, webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { jsonLines, startCli } from '../../support/operators/cli.ts';
import { apiKey, card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A relay with a gateway, whose account has a receiver in its configuration. */
async function start() {
  const gateway = await sandboxGateway();
  const configured = await startReceiver();
  const settings = (config: object = {}) => ({
    gatewayUrl: gateway.url,
    config: { ...withReceiver(configured.url, { events: ['session.approved'] }), ...config },
  });
  const relay = await startTestRelay(settings());
  return { relay, configured, settings };
}

/** Pays a session and returns its id. */
async function paid(relay: TestRelay): Promise<string> {
  const { id, secret } = await relay.session();
  await relay.pay(secret, card);
  return id;
}

const ids = (webhooks: readonly ReceivedWebhook[]) => webhooks.map(({ data }) => data.id);

/** Starts to listen and waits until the command is ready. */
async function listening(relay: { url: string }, url: string, ...options: string[]) {
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey, TURNPIKE_WEBHOOK_SECRET: webhookSecret };
  const types = options.includes('--events') ? [] : ['--events', 'session.approved'];
  const listener = startCli(['listen', '--forward-to', url, ...types, ...options], { env });
  onTestFinished(async () => {
    listener.interrupt();
    await listener.ended;
  });
  if (!options.includes('--json')) await until('it listens', () => listener.err().includes('Listening.'));
  return listener;
}

describe('turnpike listen', () => {
  it('forwards each event as the relay sends it, signed again', async () => {
    const { relay, configured } = await start();
    await paid(relay);
    await configured.one('session.approved');
    const shop = await startReceiver();
    const listener = await listening(relay, `${shop.url}?x=1&y=a%20b`);
    const wanted = [await paid(relay), await paid(relay), await paid(relay)];
    await until('all are forwarded', () => shop.received.length === 3 && configured.received.length === 4);
    expect(shop.wrong).toEqual([]);
    expect(ids(shop.received)).toEqual(wanted);
    for (const { id, raw, headers } of shop.received) {
      const sent = configured.received.find((one) => one.id === id);
      expect(raw).toBe(sent?.raw);
      const { 'content-type': type, 'user-agent': agent } = headers;
      expect({ type, agent }).toEqual({ type: sent?.headers['content-type'], agent: sent?.headers['user-agent'] });
    }
    listener.interrupt();
    const { code, out, err } = await listener.ended;
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, -1)).toEqual(
      shop.received.map(({ id }) =>
        expect.stringMatching(`^\\d\\d:\\d\\d:\\d\\d session\\.approved ${id} → 200 \\d+ ms$`),
      ),
    );
    expect(err).toContain('3 events forwarded. Continue with --since ');
    expect(out + err).not.toContain(webhookSecret);
  });

  it('keeps the query of the target address', async () => {
    const { relay } = await start();
    const asked: string[] = [];
    const shop = await serve((req, res) => {
      asked.push(req.url ?? '');
      res.end();
    });
    onTestFinished(shop.close);
    await listening(relay, `${shop.url.replace('http://', '')}/hooks?x=1&y=a%20b`);
    await paid(relay);
    await until('it is forwarded', () => asked.length === 1);
    expect(asked).toEqual(['/hooks?x=1&y=a%20b']);
  });

  it('begins at a given time, with the given types only', async () => {
    const { relay, configured } = await start();
    await paid(relay);
    const wanted = [await paid(relay), await paid(relay)];
    await until('the relay has sent all', () => configured.received.length === 3);
    const since = configured.received.find(({ data }) => data.id === wanted[0])?.timestamp ?? '';
    const shop = await startReceiver();
    await listening(relay, shop.url, '--since', since, '--events', 'session.approved');
    const other = await startReceiver();
    await listening(relay, other.url, '--since', since, '--events', 'session.declined,session.pending');
    wanted.push(await paid(relay));
    await until('all are forwarded', () => shop.received.length >= 3);
    expect(ids(shop.received)).toEqual(wanted);
    expect(other.received).toEqual([]);
  });

  it('keeps the order while the shop is down', async () => {
    const { relay } = await start();
    const gone = await serve(() => undefined);
    await gone.close();
    const listener = await listening(relay, gone.url);
    const wanted = [await paid(relay), await paid(relay)];
    await until('it says so', () => listener.err().includes('gives no answer'));
    wanted.push(await paid(relay));
    const got: unknown[] = [];
    const shop = await serve(async (req, res) => {
      got.push(JSON.parse(await bodyOf(req)).data.id);
      res.end();
    }, gone.port);
    onTestFinished(shop.close);
    await until('all are forwarded', () => got.length === 3);
    expect(got).toEqual(wanted);
    expect(listener.err().match(/gives no answer/g)).toHaveLength(1);
    expect(listener.err()).toContain('The shop answers again.');
  });

  it('continues where Ctrl-C ended it', async () => {
    const { relay } = await start();
    let hanging = 0;
    const hangs = await startReceiver(() => {
      hanging += 1;
    });
    const listener = await listening(relay, hangs.url);
    const wanted = [await paid(relay), await paid(relay)];
    await until('the shop has one', () => hanging === 1);
    listener.interrupt();
    await until('it waits', () => listener.err().includes('Ctrl-C again'));
    listener.interrupt();
    const { code, err } = await listener.ended;
    expect(code).toBe(0);
    const [, since = ''] = /0 events forwarded, \d not yet\. Continue with --since (\S+)/.exec(err) ?? [];
    const shop = await startReceiver();
    await listening(relay, shop.url, '--since', since);
    await until('all are forwarded', () => shop.received.length === 2);
    expect(ids(shop.received)).toEqual(wanted);
  });

  it('retries a refused event before later ones of its subject', async () => {
    const { relay } = await start();
    let isWell = false;
    const answers: [unknown, number][] = [];
    let refusedId: unknown;
    const shop = await startReceiver(({ data }, res) => {
      refusedId ??= data.id;
      const status = data.id === refusedId && !isWell ? 500 : 204;
      answers.push([data.id, status]);
      res.writeHead(status).end();
    });
    const listener = await listening(relay, shop.url, '--json');
    await until('it queries', () => relay.logLines.some((line) => line.includes('/v1/events')));
    const first = await paid(relay);
    await until('it is refused', () => answers.length === 1);
    const second = await paid(relay);
    await until('the other is forwarded', () => answers.some(([id, status]) => id === second && status === 204));
    isWell = true;
    await until('it is taken', () => answers.some(([id, status]) => id === first && status === 204));
    await until('it is printed', () => jsonLines(listener.out()).length === answers.length);
    expect(jsonLines(listener.out())).toEqual(
      answers.map(([subject, status]) => ({
        ...{ at: expect.any(String), id: expect.any(String), type: 'session.approved', subject },
        ...{ created_at: expect.any(String), delivered: status === 204, status, ms: expect.any(Number) },
      })),
    );
  });

  it('waits for a stopped relay and misses nothing', async () => {
    const { relay, settings } = await start();
    const shop = await startReceiver();
    const listener = await listening(relay, shop.url);
    const wanted = [await paid(relay)];
    await until('it is forwarded', () => shop.received.length === 1);
    await relay.stop();
    await until('it says so', () => listener.err().includes('cannot be asked (relay_unreachable)'));
    const { folder } = relay;
    const back = await startTestRelay({ ...settings({ listen: { port: Number(new URL(relay.url).port) } }), folder });
    wanted.push(await paid(back), await paid(back));
    await until('all are forwarded', () => shop.received.length === 3);
    expect(ids(shop.received)).toEqual(wanted);
    expect(listener.err().match(/cannot be asked/g)).toHaveLength(1);
    expect(listener.err()).toContain('The relay answers again.');
  });

  it('ends when the relay does not know the key', async () => {
    const { relay } = await start();
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: 'sk_wrong', TURNPIKE_WEBHOOK_SECRET: webhookSecret };
    const { code, err } = await startCli(['listen', '--forward-to', 'localhost:1'], { env }).ended;
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Check --key-file') });
  });

  it('creates a secret when none is given, and prints it once', async () => {
    const { relay } = await start();
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    const listener = startCli(['listen', '--forward-to', 'localhost:1'], { env });
    await until('it listens', () => listener.err().includes('Listening.'));
    listener.interrupt();
    const { code, err } = await listener.ended;
    expect(code).toBe(0);
    expect(err.match(/^TURNPIKE_WEBHOOK_SECRET=whsec_[\w+/]{43}=$/gm)).toHaveLength(1);
    expect(err).toContain('keeps no event of this account yet');
  });
});
