import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { noteBegun } from './sending.ts';

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

  it('is forgotten once it must be over', async () => {
    const { context, pass } = await setUpResolving();
    noteBegun(context, 'at_1');
    pass(20 * SECOND);
    noteBegun(context, 'at_2');
    pass(20 * SECOND);
    noteBegun(context, 'at_3');
    expect([...context.sending.keys()]).toEqual(['at_2', 'at_3']);
  });
});
