import { describe, expect, it } from 'vitest';
import { webhookSecret } from '../../test/support/http/receiver.ts';
import { processIo } from '../base/io.ts';
import { createForwarder, type Forwarded, type Next } from './forwarder.ts';

/** An event of a subject, such as `a1`. */
const event = (id: string): Forwarded => ({
  ...{ id, type: 'session.approved', subject: id.slice(0, 1) },
  ...{ created_at: '2027-03-31T10:00:00.000Z', body: id },
});

/** A forwarder to a shop that answers each event as `answers` says, else 204; no status is no answer. */
function forwarderTo(answers: Record<string, number | 'down'>) {
  const sent: string[] = [];
  const outcomes: Record<string, Next[]> = {};
  let clock = 0;
  const io = {
    ...processIo(),
    now: () => new Date(clock),
    async fetch(_url: string, { body }: RequestInit) {
      sent.push(String(body));
      const answer = answers[String(body)] ?? 204;
      if (answer === 'down') throw new TypeError('fetch failed', { cause: new Error('refused') });
      return new Response(null, { status: answer });
    },
  };
  const to = { url: 'http://localhost:3000', secret: webhookSecret };
  const forwarder = createForwarder(io, to, ({ id }, _tried, next) => {
    outcomes[id] = [...(outcomes[id] ?? []), next];
  });
  const { signal } = new AbortController();
  return {
    forwarder,
    outcomes,
    pass: (ms: number) => {
      clock += ms;
    },
    /** The events that it sends now, in their order. */
    async sends() {
      sent.length = 0;
      await forwarder.forward(signal, signal);
      return [...sent];
    },
  };
}

describe('the forwarder', () => {
  it('holds the later events of a refused one’s subject, and no others', async () => {
    const answers: Record<string, number> = { a1: 500 };
    const { forwarder, sends, pass } = forwarderTo(answers);
    forwarder.add(['a1', 'b1', 'a2', 'b2'].map(event));
    expect(await sends()).toEqual(['a1', 'b1', 'b2']);
    forwarder.add(['a3', 'b3'].map(event));
    expect(await sends()).toEqual(['b3']);
    answers.a1 = 204;
    pass(1000);
    expect(await sends()).toEqual(['a1', 'a2', 'a3']);
    expect({ waiting: forwarder.waiting(), delivered: forwarder.delivered() }).toEqual({ waiting: [], delivered: 6 });
  });

  it('sends a refused event again after longer and longer waits', async () => {
    const { forwarder, sends, pass, outcomes } = forwarderTo({ a1: 500 });
    forwarder.add([event('a1')]);
    for (let second = 0; second < 40; second++) {
      await sends();
      pass(1000);
    }
    expect(outcomes.a1).toEqual([1, 2, 4, 8, 10, 10, 10].map((seconds) => ({ kind: 'again', inMs: seconds * 1000 })));
  });

  it('has all events wait while the shop is down', async () => {
    const answers: Record<string, number | 'down'> = { a1: 'down' };
    const { forwarder, sends, pass } = forwarderTo(answers);
    forwarder.add(['a1', 'b1'].map(event));
    expect(await sends()).toEqual(['a1']);
    expect(forwarder.downForMs()).toBe(1000);
    pass(1000);
    answers.a1 = 204;
    expect(await sends()).toEqual(['a1', 'b1']);
    expect(forwarder.downForMs()).toBeUndefined();
  });

  it('retries an event at 410 for a day, then skips it', async () => {
    const { forwarder, sends, pass, outcomes } = forwarderTo({ a1: 410 });
    forwarder.add(['a1', 'a2'].map(event));
    expect(await sends()).toEqual(['a1']);
    expect(outcomes.a1).toEqual([{ kind: 'again', inMs: 1000 }]);
    pass(86_399_999);
    expect(await sends()).toEqual(['a1']);
    pass(10_000);
    expect(await sends()).toEqual(['a1', 'a2']);
    expect(outcomes.a1?.at(-1)).toEqual({ kind: 'gone' });
    expect({ waiting: forwarder.waiting(), delivered: forwarder.delivered() }).toEqual({ waiting: [], delivered: 1 });
  });
});
