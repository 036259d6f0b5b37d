import { describe, expect, it } from 'vitest';
import { declinedOf, HOUR, MINUTE, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { isBeingSent, isTooLateToSend, noteBegun } from './send-window.ts';

describe('a payment in flight', () => {
  it.each([HOUR, -HOUR])('is its relay’s own, though the clock is set by %i ms', async (step) => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    const { id } = await relay.pay(session);
    noteBegun(relay.context, id);
    const { monotonic } = relay.context;
    relay.pass(step);
    relay.context.monotonic = () => monotonic() - step;
    await relay.poll();
    expect(await relay.truth(session)).toMatchObject({ status: 'processing' });
  });

  it('is unknown once its relay is gone', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session);
    relay.pass(MINUTE);
    await relay.poll();
    expect(await relay.truth(session)).toMatchObject({ status: 'unknown', unknown: { reason: 'relay_stopped' } });
  });

  it('is unknown though this relay sent an earlier one of its order', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    const earlier = await relay.pay(session, declinedOf('T-1'));
    relay.pass(MINUTE);
    await relay.pay(session);
    relay.pass(MINUTE / 2);
    noteBegun(relay.context, earlier.id);
    relay.pass(MINUTE / 2);
    await relay.poll();
    expect(await relay.truth(session)).toMatchObject({ status: 'unknown', unknown: { reason: 'relay_stopped' } });
  });

  it('is forgotten once it must be over', async () => {
    const { context, pass } = await setUpResolving();
    noteBegun(context, 'at_1');
    pass(20 * SECOND);
    noteBegun(context, 'at_2');
    pass(20 * SECOND);
    noteBegun(context, 'at_3');
    expect([...context.begunLately.keys()]).toEqual(['at_2', 'at_3']);
  });
});

describe('what was begun', () => {
  it('may be sent for four seconds, by either clock', async () => {
    const { context, pass } = await setUpResolving();
    noteBegun(context, 'at_1');
    const begunAt = context.now().toISOString();
    const before = new Date(context.now().getTime() - 1).toISOString();
    pass(4 * SECOND);
    expect(isTooLateToSend(context, 'at_1', begunAt)).toBe(false);
    expect(isTooLateToSend(context, 'at_1', before)).toBe(true);
    // Nothing is known of when it was begun.
    expect(isTooLateToSend(context, 'at_2', begunAt)).toBe(true);
    const { monotonic } = context;
    context.monotonic = () => monotonic() + 1;
    expect(isTooLateToSend(context, 'at_1', begunAt)).toBe(true);
  });

  it('may be under way until the gateway timeout plus five seconds', async () => {
    const { context, pass } = await setUpResolving();
    noteBegun(context, 'at_1');
    pass(context.config.gateway.timeout_ms + 4999);
    expect(isBeingSent(context, 'at_1')).toBe(true);
    pass(1);
    expect(isBeingSent(context, 'at_1')).toBe(false);
    expect(isBeingSent(context, 'at_2')).toBe(false);
  });
});
