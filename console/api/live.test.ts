import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForChanges } from './live.ts';

/** An event stream that a test controls. */
class Stream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = Stream.CONNECTING;
  constructor() {
    super();
    Stream.all.push(this);
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  alive(data = {}): void {
    this.readyState = Stream.OPEN;
    this.dispatchEvent(new MessageEvent('alive', { data: JSON.stringify(data) }));
  }
  change(subject: string): void {
    this.dispatchEvent(new MessageEvent('change', { data: JSON.stringify({ type: 't', subject }) }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
}

/** A subscriber, and the answers to its polls. */
function listening(...proxies: string[]) {
  const ending = new AbortController();
  const received: string[] = [];
  const requests: string[] = [];
  let polled = 0;
  const fetch = async (path: RequestInfo | URL): Promise<Response> => {
    requests.push(String(path));
    const proxied = proxies.shift();
    if (proxied !== undefined) return new Response(proxied);
    polled += 1;
    const changes = polled === 1 ? [] : [{ type: 't', subject: `polled ${polled}` }];
    return new Response(JSON.stringify({ changes, next: `c${polled}` }), { headers: { 'Turnpike-Version': '0.1.0' } });
  };
  const hearing = {
    signal: ending.signal,
    onChange: ({ subject }: { subject: string }) => void received.push(subject),
    onGap: () => void received.push('gap'),
  };
  vi.stubGlobal('EventSource', Stream);
  listenForChanges({ EventSource, fetch }, '/live', hearing);
  return { received, requests, end: () => ending.abort() };
}

const last = (): Stream => {
  const stream = Stream.all.at(-1);
  if (!stream) throw new Error('no stream');
  return stream;
};

beforeEach(() => {
  Stream.all = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('reports changes of a stream, and a gap within it', async () => {
  const { received, requests } = listening();
  last().alive();
  last().change('s1');
  last().alive();
  expect(received).toEqual(['s1']);
  last().fail(Stream.CONNECTING);
  last().alive();
  expect(received).toEqual(['s1', 'gap']);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(requests).toEqual([]);
});

it('reports a gap if the first stream is late or misses changes', async () => {
  const { received } = listening();
  last().alive({ missed: true });
  expect(received).toEqual(['gap']);
  const late = listening();
  last().fail(Stream.CONNECTING);
  last().alive();
  expect(late.received).toEqual(['gap']);
});

it.each([
  ['is held back', async () => vi.advanceTimersByTimeAsync(10_000)],
  ['is refused', async () => last().fail(Stream.CLOSED)],
  [
    'falls silent',
    async () => {
      last().alive();
      await vi.advanceTimersByTimeAsync(40_000);
    },
  ],
  [
    'does not come back',
    async () => {
      last().alive();
      last().fail(Stream.CONNECTING);
      await vi.advanceTimersByTimeAsync(10_000);
    },
  ],
])('asks every five seconds where a stream %s', async (_what, happen) => {
  const { received, requests } = listening();
  await happen();
  await vi.advanceTimersByTimeAsync(0);
  expect(Stream.all[0]?.readyState).toBe(Stream.CLOSED);
  expect(requests).toEqual(['/live']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests).toEqual(['/live', '/live?since=c1']);
  expect(received.slice(-2)).toEqual(['gap', 'polled 2']);
});

it('asks again after an answer of a proxy', async () => {
  const { received, requests } = listening('{"ok":true}');
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(requests).toEqual(['/live', '/live']);
  expect(received.at(-1)).toBe('gap');
});

it('goes back to a stream as soon as one comes through', async () => {
  const { received, requests } = listening();
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Stream.all).toHaveLength(2);
  last().alive();
  last().change('s1');
  expect(received.slice(-2)).toEqual(['gap', 's1']);
  const before = requests.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(requests).toHaveLength(before);
});

it('stops at its end', async () => {
  const { received, requests, end } = listening();
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(0);
  end();
  const before = [...received];
  await vi.advanceTimersByTimeAsync(200_000);
  expect([received, requests, Stream.all.length]).toEqual([before, ['/live'], 1]);
});
