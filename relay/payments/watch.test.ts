import { describe, expect, it } from 'vitest';
import { approvedBy, DAY, declinedOf, MINUTE, record, setUpResolving } from '../../test/support/resolving.ts';
import { afterWatchLook } from './watch.ts';

describe('an attempt that was left', () => {
  it('is looked at after max_ms, then ever more rarely up to once a day, for thirty days, and then no more', async () => {
    const { context, session, leave, pass, round, queries, stored } = await setUpResolving();
    const left = await session('A', { expires_in: 3600 });
    await leave(left);
    const start = context.now().getTime();
    const looksAt: number[] = [];
    for (;;) {
      const { watch } = await stored(left.id);
      if (!watch) break;
      const before = queries.length;
      pass(Date.parse(watch.next_look_at) - context.now().getTime() - 1);
      await round();
      expect(queries).toHaveLength(before);
      pass(1);
      await round();
      expect(queries).toHaveLength(before + 1);
      looksAt.push(context.now().getTime() - start);
    }
    const gaps = looksAt.map((at, look) => at - (looksAt[look - 1] ?? 0));
    expect(gaps.slice(0, 5).map((ms) => ms / MINUTE)).toEqual([1, 2, 4, 8, 16]);
    expect(Math.max(...gaps)).toBe(DAY);
    expect((looksAt.at(-1) ?? 0) / DAY).toBeGreaterThanOrEqual(30);
    expect((looksAt.at(-2) ?? 0) / DAY).toBeLessThan(30);
    const before = queries.length;
    pass(100 * DAY);
    await round();
    expect(queries).toHaveLength(before);
  });

  it('is found paid weeks later without any notification, and approved late', async () => {
    const { books, session, leave, pass, round, truth, webhooks, metric } = await setUpResolving();
    const left = await session('A', { expires_in: 3600 });
    await leave(left);
    pass(MINUTE * 60);
    await round();
    expect(await truth(left)).toMatchObject({ status: 'expired' });
    pass(20 * DAY);
    await round();
    books.records = [record('A', 'T1', '3000')];
    pass(DAY);
    await round();
    expect(await truth(left)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    const told = await webhooks(left);
    expect(told.map(({ type }) => type)).toEqual([
      'session.unknown',
      'session.declined',
      'session.expired',
      'session.approved',
    ]);
    expect(told.at(-1)?.data).toMatchObject({ late: true });
    expect(await metric('turnpike_paid_twice_total')).toBe(0);
  });

  it('is looked at no more once the gateway proved it declined', async () => {
    const { books, session, leave, pass, round, stored, truth, queries } = await setUpResolving();
    const left = await session('A');
    await leave(left);
    books.records = [record('A', 'T1', '4100')];
    pass(MINUTE);
    await round();
    expect(await truth(left)).toMatchObject({ status: 'open', attempts: [{ status: 'declined' }] });
    expect(await stored(left.id)).not.toHaveProperty('watch');
    const before = queries.length;
    pass(100 * DAY);
    await round();
    expect(queries).toHaveLength(before);
  });

  it('is still looked at after its order was paid or declined another way', async () => {
    for (const outcome of [approvedBy('T2'), declinedOf('T2')]) {
      const { session, leave, pay, pass, round, queries } = await setUpResolving();
      const left = await session('A');
      await leave(left);
      await pay(left, outcome);
      const before = queries.length;
      pass(MINUTE);
      await round();
      expect(queries).toHaveLength(before + 1);
    }
  });

  it('is not looked at while another attempt of its session is under way, whose answer nothing may come between', async () => {
    const { session, leave, pay, pass, round, stored, queries } = await setUpResolving();
    const left = await session('A');
    await leave(left);
    await pay(left);
    const { version } = await stored(left.id);
    const before = queries.length;
    pass(MINUTE / 4);
    await round();
    expect(queries).toHaveLength(before);
    expect(await stored(left.id)).toMatchObject({ version, state: { status: 'processing' } });
  });

  it('is not written about while an attempt is under way that began after the look did', async () => {
    const { session, leave, pay, pass, stored, context } = await setUpResolving();
    const left = await session('A');
    await leave(left);
    pass(DAY);
    expect(afterWatchLook(await stored(left.id), context.now(), MINUTE)).toMatchObject({ watch: { looks: 1 } });
    await pay(left);
    expect(afterWatchLook(await stored(left.id), context.now(), MINUTE)).toBeUndefined();
  });

  it('needs no webhook for being looked at', async () => {
    const { session, leave, pass, round, webhooks } = await setUpResolving();
    const left = await session('A');
    await leave(left);
    const before = (await webhooks(left)).length;
    for (let looks = 0; looks < 5; looks++) {
      pass(MINUTE * 40);
      await round();
    }
    expect(await webhooks(left)).toHaveLength(before);
  });
});
