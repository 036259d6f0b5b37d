import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForChanges } from './live.ts';

/** A stream that does what a test says. */
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

/** Somebody who listens, and what polls are answered with. */
function listening(...proxies: string[]) {
  const ending = new AbortController();
  const heard: string[] = [];
  const asked: string[] = [];
  let polled = 0;
  const fetch = async (path: RequestInfo | URL): Promise<Response> => {
    asked.push(String(path));
    const proxied = proxies.shift();
    if (proxied !== undefined) return new Response(proxied);
    polled += 1;
    const changes = polled === 1 ? [] : [{ type: 't', subject: `polled ${polled}` }];
    return new Response(JSON.stringify({ changes, next: `c${polled}` }), { headers: { 'Turnpike-Version': '0.1.0' } });
  };
  const hearing = {
    signal: ending.signal,
    onChange: ({ subject }: { subject: string }) => void heard.push(subject),
    onGap: () => void heard.push('gap'),
  };
  vi.stubGlobal('EventSource', Stream);
  listenForChanges({ EventSource, fetch }, '/live', hearing);
  return { heard, asked, end: () => ending.abort() };
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

it('tells changes of a stream, and of a gap within it', async () => {
  const { heard, asked } = listening();
  last().alive();
  last().change('s1');
  last().alive();
  expect(heard).toEqual(['s1']);
  last().fail(Stream.CONNECTING);
  last().alive();
  expect(heard).toEqual(['s1', 'gap']);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(asked).toEqual([]);
});

it('tells of a gap where the first stream came late, or misses changes', async () => {
  const { heard } = listening();
  last().alive({ missed: true });
  expect(heard).toEqual(['gap']);
  const late = listening();
  last().fail(Stream.CONNECTING);
  last().alive();
  expect(late.heard).toEqual(['gap']);
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
  const { heard, asked } = listening();
  await happen();
  await vi.advanceTimersByTimeAsync(0);
  expect(Stream.all[0]?.readyState).toBe(Stream.CLOSED);
  expect(asked).toEqual(['/live']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual(['/live', '/live?since=c1']);
  expect(heard.slice(-2)).toEqual(['gap', 'polled 2']);
});

it('asks again after an answer of a proxy', async () => {
  const { heard, asked } = listening('{"ok":true}');
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(asked).toEqual(['/live', '/live']);
  expect(heard.at(-1)).toBe('gap');
});

it('goes back to a stream as soon as one comes through', async () => {
  const { heard, asked } = listening();
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Stream.all).toHaveLength(2);
  last().alive();
  last().change('s1');
  expect(heard.slice(-2)).toEqual(['gap', 's1']);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveLength(before);
});

it('does nothing more at its end', async () => {
  const { heard, asked, end } = listening();
  last().fail(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(0);
  end();
  const before = [...heard];
  await vi.advanceTimersByTimeAsync(200_000);
  expect([heard, asked, Stream.all.length]).toEqual([before, ['/live'], 1]);
});
