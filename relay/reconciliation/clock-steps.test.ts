import { expect, it } from 'vitest';
import { DAY, HOUR, setUpResolving } from '../../test/support/payments/resolving.ts';
import { refused } from '../../test/support/payments/sessions.ts';

/** A relay for which time passes evenly while its clock is set. */
async function setUp() {
  const relay = await setUpResolving();
  let measured = relay.context.monotonic();
  relay.context.monotonic = () => measured;
  const { pass, poll, queries } = relay;
  return {
    ...relay,
    set: pass,
    pass: (ms: number) => {
      measured += ms;
      pass(ms);
    },
    /** How many queries so many polls make. */
    async polled(polls = 1): Promise<number> {
      const before = queries.length;
      for (let n = 0; n < polls; n++) await poll();
      return queries.length - before;
    },
  };
}

it('a clock that was set ahead ends the watch of no attempt', async () => {
  const { session, pay, set, pass, polled, orderOf } = await setUp();
  const one = await session('A');
  await pay(one, refused);
  const watched = await orderOf(one);
  expect(watched.next_query_at).toBeDefined();
  set(31 * DAY);
  expect(await polled()).toBe(1);
  expect((await orderOf(one)).next_query_at).toBeDefined();
  // While it is ahead, the gateway is asked once a day.
  pass(HOUR);
  expect(await polled()).toBe(0);
  set(-31 * DAY);
  expect(await polled()).toBe(1);
  pass(2 * HOUR);
  expect(await polled()).toBe(1);
  pass(31 * DAY);
  expect(await polled()).toBe(1);
  expect((await orderOf(one)).next_query_at).toBeUndefined();
});
