import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { relayWithEvents } from '../../support/relays/events.ts';
import { otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const problem = z.object({ code: z.string(), errors: z.array(z.object({ path: z.string() })).default([]) });

describe('the list of webhooks', () => {
  it('shows delivered webhooks with their content, newest first', async () => {
    const { relay, paid, list, event } = await relayWithEvents();
    const ids = await paid(2);
    await until('both are delivered', async () => (await list('?status=delivered')).events.length === 2);
    const { events, next } = await list();
    expect(events.map(({ subject }) => subject)).toEqual(ids.toReversed());
    expect(next).toBeUndefined();
    const [newest] = events;
    expect(newest).toMatchObject({ type: 'session.approved', delivery: { status: 'delivered', tries: 1 } });
    expect(newest?.data).toEqual(await relay.truth(ids[1] ?? ''));
    expect(await event(newest?.id ?? '')).toEqual(newest);
  });

  it('shows abandoned webhooks with the reason', async () => {
    const { paid, list, giveUp } = await relayWithEvents(false);
    const [id = ''] = await paid(1);
    await giveUp(1);
    const { events } = await list(`?subject=${id}&type=session.approved`);
    expect(events).toMatchObject([{ delivery: { status: 'failed', tries: 1, reason: 'http_410' } }]);
    expect((await list('?status=pending')).events).toEqual([]);
    expect((await list('?type=session.failed')).events).toEqual([]);
    expect((await list('?subject=cs_other')).events).toEqual([]);
  });

  it('is paged, each webhook once, also while new ones arrive', async () => {
    const { paid, list } = await relayWithEvents();
    const ids = await paid(5);
    const first = await list('?limit=2');
    expect(first.events.map(({ subject }) => subject)).toEqual([ids[4], ids[3]]);
    await paid(1);
    const second = await list(`?limit=2&before=${first.next}`);
    expect(second.events.map(({ subject }) => subject)).toEqual([ids[2], ids[1]]);
    const third = await list(`?limit=2&before=${second.next}`);
    expect(third.events.map(({ subject }) => subject)).toEqual([ids[0]]);
    expect(third.next).toBeUndefined();
    // An exactly full last page has no `next`.
    expect((await list('?limit=6')).next).toBeUndefined();
    expect((await list('?limit=5')).next).toBeDefined();
  });

  it('contains no webhooks of other accounts', async () => {
    const { relay, paid, list, reference } = await relayWithEvents();
    await paid(1);
    const [event] = (await list()).events;
    expect((await list('', otherAccountKey)).events).toEqual([]);
    expect(await list(`?before=${event?.id}`, otherAccountKey)).toMatchObject({ status: 400 });
    const answer = await relay.get(`/v1/events/${event?.id}`, otherAccountKey);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    reference.check('get', '/v1/events/{id}', answer);
  });

  it.each([
    ['?no_such_field=1', 'no_such_field'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?status=sent', 'status'],
    ['?status[]=failed', 'status[]'],
    ['?type=session.nonsense', 'type'],
    ['?subject=', 'subject'],
    ['?subject=a%00b', 'subject'],
    ['?before=msg_none', 'before'],
    ['?__proto__=1', '__proto__'],
  ])('refuses %s by its name', async (query, path) => {
    const { list } = await relayWithEvents();
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(problem.parse(answer.body)).toEqual({
      code: 'invalid_request',
      errors: [expect.objectContaining({ path })],
    });
  });

  it('requires a key with the scope', async () => {
    const { relay, reference } = await relayWithEvents();
    for (const path of ['/v1/events', '/v1/events/msg_1']) {
      const template = path.replace('msg_1', '{id}');
      const [forbidden, anonymous] = [await relay.get(path, queryOnlyKey), await relay.get(path)];
      expect([forbidden.status, anonymous.status]).toEqual([403, 401]);
      reference.check('get', template, forbidden);
      reference.check('get', template, anonymous);
    }
  });
});
