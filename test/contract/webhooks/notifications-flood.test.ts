import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { setUpNotified } from '../../support/gateways/notified.ts';
import { card, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const AT_ONCE = 40;

/** More orders than one query can contain. */
const PAYMENTS = 120;

/** Posts each of these bodies to its path, many concurrently. Returns the statuses other than 200. */
async function flood(relay: TestRelay, notifications: readonly { path: string; body: string }[]): Promise<number[]> {
  const pool = new Pool(relay.url, { connections: AT_ONCE });
  const waiting = [...notifications];
  const refused: number[] = [];
  const send = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { statusCode, body } = await pool.request({ method: 'POST', path: next.path, body: next.body });
      await body.dump();
      if (statusCode !== 200) refused.push(statusCode);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await pool.close();
  return refused;
}

/** Waits until the relay has polled for due orders this many more times. */
async function polled({ context }: TestRelay, times: number): Promise<void> {
  const { store } = context;
  const { leaseDue: leaseDueOrders } = store.orders;
  let polls = 0;
  store.orders.leaseDue = (...terms) => {
    polls += 1;
    return leaseDueOrders(...terms);
  };
  await until('the relay looked for due orders', () => polls >= times);
  store.orders.leaseDue = leaseDueOrders;
}

const about = (path: string, n: number) => ({ path, body: JSON.stringify({ order_no: `A-${n}`, status: '1' }) });

describe('a flood of notifications', () => {
  it('about one session causes one query, and another two seconds later', async () => {
    const clock = { offset: 0 };
    const { gateway, relay, unknownPayment, stored } = await setUpNotified({
      now: () => new Date(Date.parse('2026-03-01T12:00:00Z') + clock.offset),
    });
    const { path, orderNo } = await unknownPayment();
    // Separate queries cover the orders that the notifications name additionally.
    const ofPayment = () => gateway.queried().filter(({ message }) => message.orders === orderNo);
    const many = Array.from({ length: 150 }, (_, n) => about(path, n));
    expect(await flood(relay, many)).toEqual([]);
    expect(stored()).toHaveLength(150);
    await until('it is queried', () => ofPayment().length === 1);
    clock.offset = 1999;
    expect(await flood(relay, [about(path, 0)])).toEqual([]);
    await polled(relay, 3);
    expect(ofPayment()).toHaveLength(1);
    clock.offset = 2001;
    await until('it is queried again', () => ofPayment().length === 2);
  });

  it('about many payments causes few queries, which cover each', async () => {
    const now = new Date();
    const { gateway, relay, unknownPayment } = await setUpNotified({ now: () => now });
    const { path } = await unknownPayment();
    const others = await Promise.all(Array.from({ length: PAYMENTS - 1 }, () => unknownPayment()));
    const paths = [path, ...others.map((other) => other.path)];
    const notifications = paths.flatMap((one) => Array.from({ length: 3 }, (_, n) => about(one, n)));
    // However long the flood takes, the first query runs until it is over.
    const { call } = relay.context;
    const isOver = Promise.withResolvers<void>();
    relay.context.call = async (...terms) => {
      await isOver.promise;
      return call(...terms);
    };
    const shuffled = notifications.toSorted((a, b) => a.body.localeCompare(b.body));
    expect(await flood(relay, shuffled)).toEqual([]);
    isOver.resolve();
    // Separate queries cover the orders that they name additionally.
    const ofPayments = () =>
      gateway
        .queried()
        .map(({ message }) => String(message.orders).split(','))
        .map((orders) => orders.filter((order) => !order.startsWith('A-')))
        .filter((orders) => orders.length > 0);
    await until('all are queried', () => new Set(ofPayments().flat()).size === PAYMENTS);
    expect(ofPayments().flat()).toHaveLength(PAYMENTS);
    expect(ofPayments().length).toBeLessThanOrEqual(4);
  });

  it('delays no payment', async () => {
    const { books, relay, unknownPayment, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const session = await relay.session();
    books.set(session.orderNo, 'answered');
    let isOver = false;
    const flooding = flood(
      relay,
      Array.from({ length: 1000 }, (_, n) => about(path, n)),
    ).finally(() => {
      isOver = true;
    });
    await until('it has begun', () => stored().length > 100);
    expect((await relay.pay(session.secret, card)).body).toMatchObject({ status: 'approved' });
    expect(isOver).toBe(false);
    expect(await flooding).toEqual([]);
  });

  it('at guessed addresses writes nothing and causes no query', async () => {
    const { gateway, relay, unknownPayment, stored } = await setUpNotified();
    const { path } = await unknownPayment();
    const refused = await flood(
      relay,
      Array.from({ length: 150 }, (_, n) => about(`${path.slice(0, -4)}${String(n).padStart(4, '0')}`, n)),
    );
    expect(refused).toHaveLength(150);
    expect(new Set(refused)).toEqual(new Set([404]));
    expect(stored()).toEqual([]);
    expect(gateway.queried()).toHaveLength(0);
  });
});
