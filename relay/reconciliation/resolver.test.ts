import { describe, expect, it } from 'vitest';
import { DAY, HOUR, lost, MINUTE, oneRound, record, SECOND, setUpResolving } from '../../test/support/resolving.ts';
import type { Context } from '../store/context.ts';
import { createResolver } from './resolver.ts';

/** A relay of its own on the same store, whose gateway never answers a query. */
function stuck(context: Context) {
  const asked: unknown[] = [];
  const call: Context['call'] = (name) => {
    asked.push(name);
    return new Promise(() => undefined);
  };
  return { asked, context: { ...context, call } };
}

describe('the resolver', () => {
  it('asks about 250 unknown sessions in three queries, and about each once', async () => {
    const { session, pay, pass, round, queries } = await setUpResolving();
    for (let n = 0; n < 250; n++) await pay(await session(`A-${n}`), lost);
    pass(SECOND);
    await round();
    expect(queries.map((orders) => orders.length)).toEqual([100, 100, 50]);
    expect(new Set(queries.flat()).size).toBe(250);
  });

  it('backs off from first_ms, twice as long each time, up to max_ms, also while queries are refused', async () => {
    const { books, session, pay, pass, round, truth, queries } = await setUpResolving();
    const unknown = await session('A');
    await pay(unknown, lost);
    books.change = { return_status: '0' };
    const waits: number[] = [];
    for (let looks = 0; looks < 9; looks++) {
      const due = Date.parse((await truth(unknown)).unknown?.next_look_at ?? '');
      waits.push(due - Date.parse((await truth(unknown)).unknown?.last_look?.at ?? '2026-03-01T12:00:00.000Z'));
      pass((waits.at(-1) ?? 0) - 1);
      await round();
      expect(queries).toHaveLength(looks);
      pass(1);
      await round();
      expect(queries).toHaveLength(looks + 1);
    }
    // From max_ms on at the same moments for all, which are a quarter of it apart.
    expect(waits.map((ms) => ms / SECOND)).toEqual([1, 2, 4, 8, 16, 32, 57, 60, 60]);
  });

  it('asks ever more rarely about payments that were left at the issuer’s page, and about many of them at once', async () => {
    const { session, pay, pass, round, queries, stored } = await setUpResolving();
    const left = [];
    for (let n = 0; n < 100; n++) {
      const one = await session(`A-${n}`);
      left.push(one);
      await pay(one, { kind: 'redirect', issuer_url: 'https://bank.example/' });
      pass(7 * SECOND);
    }
    for (let passed = 0; passed < 23 * HOUR; passed += 15 * SECOND) {
      pass(15 * SECOND);
      await round();
    }
    for (const { id } of left) expect((await stored(id)).state.status).toBe('redirected');
    // After 1, 2, 4 … 64 minutes, and then every hour.
    const looks = [...Map.groupBy(queries.flat(), (orderNo) => orderNo).values()].map(({ length }) => length);
    expect(looks).toHaveLength(100);
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(24);
    expect(Math.max(...looks)).toBeLessThanOrEqual(32);
    // For the hourly looks there are four moments in an hour.
    expect(queries.length).toBeLessThan(400);
  });

  it('ends the wait at the issuer’s page when the session’s time is over, however rare the looks are', async () => {
    const { session, pay, pass, round, truth } = await setUpResolving();
    const left = await session('A', { expires_in: 30_000 });
    await pay(left, { kind: 'redirect', issuer_url: 'https://bank.example/' });
    for (let passed = 0; passed < 30_000 * SECOND; passed += 30 * SECOND) {
      expect(await truth(left)).toMatchObject({ status: 'redirected' });
      pass(30 * SECOND);
      await round();
    }
    expect(await truth(left)).toMatchObject({ status: 'unknown', unknown: { reason: 'left_at_issuer' } });
  });

  it('finds the payments of all orders but the one whose order_no the gateway refuses in a query', async () => {
    const { books, context, session, pay, pass, round, truth, queries } = await setUpResolving();
    const unknown = [];
    for (let n = 0; n < 100; n++) {
      const one = await session(`A-${n}`);
      unknown.push(one);
      await pay(one, lost);
      books.records.push(record(`A-${n}`, `T${n}`, '3000'));
    }
    const answer = context.call;
    context.call = async (name, as, message) => {
      const answered = await answer(name, as, message);
      const isTaken = !String(message.orders).split(',').includes('A-37');
      return isTaken ? answered : { kind: 'refused', status: 400, evidence: {} };
    };
    pass(SECOND);
    await round();
    for (const [n, one] of unknown.entries()) {
      const status = n === 37 ? 'unknown' : 'approved';
      expect(await truth(one)).toMatchObject({ status });
    }
    expect(queries.length).toBeLessThanOrEqual(15);
  });

  it('asks a few times and no more where the gateway refuses every query', async () => {
    const { books, session, pay, pass, round, queries } = await setUpResolving();
    for (let n = 0; n < 100; n++) await pay(await session(`A-${n}`), lost);
    books.change = { return_status: '0' };
    pass(SECOND);
    await round();
    expect(queries.length).toBeLessThanOrEqual(20);
  });

  it('tells what the last look found', async () => {
    const { books, context, session, pay, pass, round, truth } = await setUpResolving();
    const unknown = await session('A');
    await pay(unknown, lost);
    expect((await truth(unknown)).unknown).not.toHaveProperty('last_look');
    const found = async (): Promise<unknown> => {
      pass(MINUTE);
      await round();
      const { last_look, looks } = (await truth(unknown)).unknown ?? {};
      expect(last_look?.at).toBe(context.now().toISOString());
      return [last_look?.found, looks];
    };
    expect(await found()).toEqual(['absent', 1]);
    books.change = { return_status: '0' };
    expect(await found()).toEqual(['query_refused', 2]);
    books.change = { merchant_id: '9' };
    expect(await found()).toEqual(['query_unanswered', 3]);
    books.change = {};
    books.records = [record('A', 'T1', '77')];
    expect(await found()).toEqual(['codes_not_listed', 4]);
    context.call = async () => ({ kind: 'unusable', fault: 'timeout', evidence: {} });
    expect(await found()).toEqual(['query_unanswered', 5]);
    context.call = async () => ({ kind: 'refused', status: 404, evidence: {} });
    expect(await found()).toEqual(['query_refused', 6]);
  });

  it('finds the payment of a gateway that lags behind, however often it did not know it', async () => {
    const { books, session, pay, pass, round, truth } = await setUpResolving();
    const unknown = await session('A');
    await pay(unknown, lost);
    for (let looks = 0; looks < 5; looks++) {
      pass(MINUTE);
      await round();
    }
    expect(await truth(unknown)).toMatchObject({ status: 'unknown', unknown: { last_look: { found: 'absent' } } });
    books.records = [record('A', 'T1', '3000')];
    pass(MINUTE);
    await round();
    expect(await truth(unknown)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('shares its looks: two relays on one store do not both ask', async () => {
    const { context, session, pay, pass, round, queries } = await setUpResolving();
    for (let n = 0; n < 5; n++) await pay(await session(`A-${n}`), lost);
    pass(SECOND);
    await Promise.all([round(), oneRound({ ...context }), oneRound({ ...context })]);
    expect(queries.flat().sort()).toEqual(['A-0', 'A-1', 'A-2', 'A-3', 'A-4']);
  });

  it('takes over what a relay that died was looking at, once its lease is over and not before', async () => {
    const { books, context, session, pay, pass, round, truth } = await setUpResolving();
    const unknown = await session('A');
    await pay(unknown, lost);
    books.records = [record('A', 'T1', '3000')];
    pass(SECOND);
    const dead = stuck(context);
    await createResolver(dead.context).round();
    expect(dead.asked).toEqual(['query']);
    pass(context.config.gateway.timeout_ms);
    await round();
    expect(await truth(unknown)).toMatchObject({ status: 'unknown' });
    pass(MINUTE);
    await round();
    expect(await truth(unknown)).toMatchObject({ status: 'approved' });
  });

  it('goes on for one account while the gateway leaves another account’s query unanswered', async () => {
    const { context, session, pay, pass, stored, account } = await setUpResolving();
    const own = { ...account, id: 'slow' };
    context.config.accounts.push(own);
    const waiting = await session('A');
    await pay(waiting, lost);
    const other = await session('B');
    await pay(other, lost);
    // As if the first were the other account's.
    const { leaseDueSessions } = context.store;
    const store = {
      ...context.store,
      leaseDueSessions: async (...terms: Parameters<typeof leaseDueSessions>) => {
        const due = await leaseDueSessions(...terms);
        return due
          .map((entry) => (entry.id === waiting.id ? { ...entry, account: 'slow' } : entry))
          .filter((entry) => terms[1].includes(entry.account));
      },
    };
    const answer = context.call;
    let unanswered = 0;
    const call: Context['call'] = (name, as, message) => {
      if (message.orders !== 'A') return answer(name, as, message);
      unanswered += 1;
      return new Promise(() => undefined);
    };
    const resolver = createResolver({ ...context, store, call });
    pass(SECOND);
    for (const looks of [1, 2, 3]) {
      await resolver.round();
      await expect.poll(async () => (await stored(other.id)).state).toMatchObject({ search: { looks } });
      pass(MINUTE);
    }
    expect(unanswered).toBe(1);
  });

  describe('at give_up_ms', () => {
    /** An unknown session at its first look after a day. */
    async function givenUp() {
      const stack = await setUpResolving();
      const unknown = await stack.session('A');
      await stack.pay(unknown, lost);
      stack.books.change = { return_status: '0' };
      stack.pass(DAY - 1);
      await stack.round();
      expect((await stack.truth(unknown)).unknown).toMatchObject({ needs_attention: false });
      stack.pass(1);
      await stack.round();
      return { ...stack, unknown };
    }

    it('gives up loudly, and once: a webhook that says so, a metric, an error in the log', async () => {
      const { unknown, truth, webhooks, metric, logged, pass, round } = await givenUp();
      for (let days = 0; days < 3; days++) {
        expect(await truth(unknown)).toMatchObject({ status: 'unknown', unknown: { needs_attention: true } });
        expect((await webhooks(unknown)).map(({ type, data }) => [type, data.unknown.needs_attention])).toEqual([
          ['session.unknown', false],
          ['session.unknown', true],
        ]);
        expect(await metric('turnpike_gave_up_total{what="session"}')).toBe(1);
        expect(logged('a person must look')).toHaveLength(1);
        pass(DAY);
        await round();
      }
    });

    it('is still looked at daily, and settled by a proof, with its webhook', async () => {
      const { unknown, books, truth, webhooks, queries, pass, round } = await givenUp();
      const before = queries.length;
      pass(DAY - HOUR);
      await round();
      expect(queries).toHaveLength(before);
      books.change = {};
      books.records = [record('A', 'T1', '3000')];
      pass(HOUR);
      await round();
      expect(await truth(unknown)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
      expect((await webhooks(unknown)).map(({ type }) => type)).toEqual([
        'session.unknown',
        'session.unknown',
        'session.approved',
      ]);
    });
  });
});
