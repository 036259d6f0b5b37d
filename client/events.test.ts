import { describe, expect, it } from 'vitest';
import { scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import { ClientMisused, type EventFilter } from './index.ts';

const moment = '2026-11-21T12:00:00.000Z';
const eventOf = (n: number) => ({
  id: `msg_${n}`,
  type: 'session.approved',
  subject: `cs_${n}`,
  created_at: moment,
  delivery: { status: 'delivered', tries: 1, delivered_at: moment },
  data: {},
});
const page = (numbers: number[], next?: string) => ({
  status: 200,
  body: { events: numbers.map(eventOf), ...(next === undefined ? {} : { next }) },
});

describe('the client’s list of webhooks', () => {
  it('asks for what the filter says, and for nothing else', async () => {
    const relay = await scriptedRelay(page([]));
    const filter = { status: 'failed', type: 'session.approved', subject: 'cs_1', before: 'msg_9', limit: 50 } as const;
    await relay.client().events.list(filter);
    await relay.client().events.list({ status: 'pending' });
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/events?status=failed&type=session.approved&subject=cs_1&before=msg_9&limit=50',
      '/v1/events?status=pending',
    ]);
  });

  it('can be walked through to its end, a page at a time', async () => {
    const relay = await scriptedRelay(page([5, 4], 'msg_4'), page([3, 2], 'msg_2'), page([1]));
    const ids: string[] = [];
    for await (const { id } of relay.client().events.each({ status: 'failed', limit: 2 })) {
      ids.push(id);
      // The next page is not asked for before it is needed.
      expect(relay.asked).toHaveLength(Math.ceil(ids.length / 2));
    }
    expect(ids).toEqual(['msg_5', 'msg_4', 'msg_3', 'msg_2', 'msg_1']);
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/events?status=failed&limit=2',
      '/v1/events?status=failed&limit=2&before=msg_4',
      '/v1/events?status=failed&limit=2&before=msg_2',
    ]);
  });

  it('takes types that are newer than the client', async () => {
    const newer = { ...eventOf(1), type: 'session.something_new' };
    const relay = await scriptedRelay({ status: 200, body: { events: [newer] } });
    const { events } = await relay.client().events.list({ type: 'session.something_new' });
    expect(events).toMatchObject([{ type: 'session.something_new' }]);
  });

  it.each<[string, EventFilter]>([
    ['a client secret', { subject: 'cs_1.s3cret' }],
    ['an empty text', { before: '' }],
    ['a text with more than a name in it', { before: 'msg_1&status=failed' }],
  ])('puts no %s into an address', async (_, filter) => {
    const relay = await scriptedRelay(page([]));
    await expect(relay.client().events.list(filter)).rejects.toBeInstanceOf(ClientMisused);
    await expect(relay.client().events.list(filter)).rejects.not.toThrow('s3cret');
    expect(relay.asked).toEqual([]);
  });
});
