import { describe, expect, it, vi } from 'vitest';
import { changes } from '../../../shared/api/console.ts';
import { signIn, startConsole, type Visitor } from '../../support/operators/console.ts';
import { type TestRelay, testConfig } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const LIVE = '/console/api/demo/live';
const json = { accept: 'application/json' };

/** A relay whose first account has a webhook receiver at which no server listens. */
async function setUp() {
  const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
  const { accounts } = testConfig({ gatewayUrl: '', folder: '' });
  const [demo, ...others] = Array.isArray(accounts) ? accounts : [];
  const webhook = { url: 'http://127.0.0.1:1/', secrets };
  const config = { accounts: [{ ...demo, webhook }, ...others], webhooks: { allow_private: true } };
  const relay = await startConsole({ config });
  return { relay, visitor: await signIn(relay) };
}

/** Causes a webhook: the shop withdraws a session. */
async function happen(
  relay: TestRelay,
  visitor: Visitor,
): Promise<{ type: string; subject: string; order_no: string }> {
  const { id, orderNo } = await relay.session();
  const expired = await visitor.post(`/console/api/demo/v1/sessions/${id}/expire`, {});
  expect(expired.status).toBe(200);
  return { type: 'session.expired', subject: id, order_no: orderNo };
}

const ask = async (visitor: Visitor, since?: string) =>
  changes.parse((await visitor.get(since === undefined ? LIVE : `${LIVE}?since=${since}`, json)).body);

/** The stream’s messages in the order of arrival. */
async function connect({ url }: TestRelay, { cookie }: Visitor, lastId?: string) {
  const abort = new AbortController();
  const headers = { cookie, accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  const response = await fetch(`${url}${LIVE}`, { headers, signal: abort.signal });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** The next message; undefined at the end. */
  const next = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
    const end = text.indexOf('\n\n');
    const message = text.slice(0, end);
    text = text.slice(end + 2);
    return message;
  };
  return { response, next, close: () => abort.abort() };
}

describe('updates of an account', () => {
  it('are sent when they are written', async () => {
    const { relay, visitor } = await setUp();
    await happen(relay, visitor);
    relay.pass(16_000);
    const recent = await happen(relay, visitor);
    const stream = await connect(relay, visitor);
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    const first = await stream.next();
    expect(first).toMatch(/^event: alive\nid: \S+\ndata: \{\}$/);
    const happened = [recent, await happen(relay, visitor), await happen(relay, visitor)];
    for (const change of happened) {
      const [event, id, data = ''] = (await stream.next())?.split('\n') ?? [];
      expect(event).toBe('event: change');
      expect(id).toMatch(/^id: \S+$/);
      expect(JSON.parse(data.slice('data: '.length))).toEqual(change);
    }
    stream.close();
  });

  it('are sent at once, however many there are', async () => {
    const { relay, visitor } = await setUp();
    const stream = await connect(relay, visitor);
    await stream.next();
    const created_at = relay.context.now().toISOString();
    const common = {
      account: 'demo',
      type: 'session.approved',
      created_at,
      body: '{"data":{}}',
      endpoints: [],
    } as const;
    const subjects = Array.from({ length: 450 }, (_, n) => `cs_${n}`);
    await relay.context.store.outbox.add(subjects.map((subject) => ({ ...common, id: `msg_${subject}`, subject })));
    const cursors = new Set<string | undefined>();
    for (const subject of subjects) {
      const message = await stream.next();
      expect(message).toContain(`"subject":"${subject}"`);
      cursors.add(message?.split('\n')[1]);
    }
    // Each poll has its own cursor.
    expect(cursors.size).toBe(1);
    stream.close();
  });

  it('are read once for all streams', async () => {
    const { relay, visitor } = await setUp();
    const streams = await Promise.all(Array.from({ length: 8 }, () => connect(relay, visitor)));
    for (const { next } of streams) await next();
    const reading = vi.spyOn(relay.context.store.outbox, 'list');
    const polls = () => reading.mock.calls.filter(([{ oldestFirst }]) => oldestFirst).length;
    const start = performance.now();
    const { subject } = await happen(relay, visitor);
    for (const { next } of streams) expect(await next()).toContain(subject);
    // At most one read in each second.
    expect(polls()).toBeLessThanOrEqual(Math.ceil((performance.now() - start) / 1000) + 1);
    for (const { close } of streams) close();
  });

  it('continue when a browser reconnects', async () => {
    const { relay, visitor } = await setUp();
    const first = await connect(relay, visitor);
    const id = /^id: (\S+)/m.exec((await first.next()) ?? '')?.[1];
    first.close();
    const change = await happen(relay, visitor);
    const again = await connect(relay, visitor, id);
    await again.next();
    expect(await again.next()).toContain(JSON.stringify(change));
    again.close();
  });

  it('can be polled when a proxy buffers streams', async () => {
    const { relay, visitor } = await setUp();
    const old = await happen(relay, visitor);
    const { next, changes: none } = await ask(visitor);
    expect(none).toEqual([]);
    const change = await happen(relay, visitor);
    const news = await ask(visitor, next);
    expect(news.changes).toEqual([change]);
    relay.pass(60_000);
    const later = await ask(visitor, news.next);
    expect(await ask(visitor, later.next)).toEqual({ changes: [], next: later.next });
    expect((await ask(visitor, '0')).changes).toEqual([old, change]);
    expect((await ask(visitor, 'msg_forgotten')).changes).toEqual([]);
  });

  it('are sent only to signed-in people of the same account', async () => {
    const { relay, visitor } = await setUp();
    expect(await relay.send(LIVE)).toMatchObject({ status: 401 });
    await happen(relay, visitor);
    const bob = await signIn(relay, 'Bob');
    expect((await bob.get('/console/api/other/live?since=0', json)).body).toEqual({ changes: [], next: '0' });
  });

  it('end with the sign-in', async () => {
    const { relay, visitor } = await setUp();
    const stream = await connect(relay, visitor);
    await stream.next();
    const last = stream.next();
    await visitor.post('/console/api/sign-out', {});
    // At once: the relay does not read again whether the person is signed in.
    const { people } = relay.context.store;
    const read = vi.spyOn(people, 'getSignIn');
    expect(await last).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
  });

  it('end when the relay stops, without delaying it', async () => {
    const { relay, visitor } = await setUp();
    const stream = await connect(relay, visitor);
    await stream.next();
    expect(await relay.stop()).toBe('finished');
    expect(await stream.next()).toBeUndefined();
  });

  it('count no stream whose browser disconnected before it began', async () => {
    const { relay, visitor } = await setUp();
    const { store } = relay.context;
    const { list: listEvents } = store.outbox;
    const held = Promise.withResolvers<void>();
    const asked = vi.spyOn(store.outbox, 'list').mockImplementation(async (filter) => {
      await held.promise;
      return listEvents(filter);
    });
    const gone = new AbortController();
    const { signal } = gone;
    const headers = { cookie: visitor.cookie, accept: 'text/event-stream' };
    const left = Array.from({ length: 10 }, () => fetch(relay.url + LIVE, { headers, signal }).catch(() => undefined));
    await until('all of them query', () => asked.mock.calls.length >= 10);
    gone.abort();
    await Promise.all(left);
    // The relay sees that they are disconnected before this request is answered.
    await relay.send('/console/api/me', { headers });
    held.resolve();
    asked.mockRestore();
    for (let count = 0; count < 11; count++) {
      const head = await relay.send(LIVE, { method: 'HEAD', headers });
      expect(head.headers.get('content-type')).toContain('text/event-stream');
    }
    const stream = await connect(relay, visitor);
    expect(stream.response.status).toBe(200);
    stream.close();
  });

  it('are limited to a few streams per person', async () => {
    const { relay, visitor } = await setUp();
    const streams = [];
    for (let count = 0; count < 10; count++) streams.push(await connect(relay, visitor));
    expect((await connect(relay, visitor)).response.status).toBe(429);
    for (const { close } of streams) close();
  });
});
