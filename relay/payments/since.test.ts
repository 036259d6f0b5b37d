import { describe, expect, it } from 'vitest';
import {
  DAY,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  moment,
  record,
  refused,
  type Story,
  session,
  story,
} from '../../test/support/payments/sessions.ts';

/** An attempt that ended so by a clock that was ahead by so much, and which is right again. */
function noted(outcome: Parameters<Story['answer']>[1], ahead: number): Story {
  const of = story();
  of.pass(ahead);
  of.pay();
  of.answer('at_1', outcome);
  of.pass(-ahead);
  return of;
}

/** How many queries, made when they are due, a time takes. */
function queriesIn(of: Story, ms: number, query: () => void): number {
  const end = of.now().getTime() + ms;
  for (let queries = 0; ; queries++) {
    const next = Date.parse(of.order().next_query_at ?? '9999-01-01');
    if (next >= end) {
      of.pass(end - of.now().getTime());
      return queries;
    }
    of.pass(Math.max(0, next - of.now().getTime()));
    query();
  }
}

describe('what a clock noted that was ahead', () => {
  it('needs a person a day after it was seen', () => {
    const of = noted(lost, 30 * DAY);
    of.queryFails();
    queriesIn(of, DAY - 2 * MINUTE, of.queryFails);
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: false } });
    queriesIn(of, 4 * MINUTE, of.queryFails);
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.unknown']);
  });

  it('is queried as rarely as any other', () => {
    const counts = [0, 30 * DAY].map((ahead) => {
      const of = story();
      of.add({ ...session('cs_2'), expires_at: moment(90 * DAY).toISOString() });
      const query = (): boolean => of.query(record('T1', '9999'));
      of.pay();
      of.answer('at_1', declinedOf('T2'));
      of.pass(ahead);
      query();
      expect(of.order()).toMatchObject({ undecided: { reason: 'codes_not_listed' } });
      of.pass(-ahead);
      query();
      return queriesIn(of, HOUR, query);
    });
    const [usual = 0, noted = 0] = counts;
    expect(Math.abs(noted - usual)).toBeLessThan(3);
  });

  it('is watched as rarely as anything else', () => {
    const of = noted(refused, 30 * DAY);
    of.absent();
    expect(queriesIn(of, DAY, of.query)).toBeLessThan(20);
    expect(queriesIn(of, 20 * DAY, of.query)).toBeLessThan(25);
    expect(of.order().queries.ahead).toBeDefined();
  });

  it('has no early alarm or end after a clock step back', () => {
    const of = noted(lost, 0);
    of.pass(HOUR);
    of.pass(-31 * DAY);
    of.queryFails();
    of.pass(31 * DAY);
    of.queryFails();
    expect(of.state()).toMatchObject({ search: { needs_attention: false } });
    expect(of.order().queries.ahead).toBeUndefined();
    of.absent();
    of.pass(-31 * DAY);
    of.query();
    of.pass(31 * DAY);
    of.query();
    expect(of.order().next_query_at).toBeDefined();
  });
});
