import { expect, it } from 'vitest';
import { HOUR, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { createClockWatch } from './clock-watch.ts';

it('a clock that is set is reported once', async () => {
  const { context, pass, logged, metric } = await setUpResolving();
  let measured = 0;
  context.monotonic = () => measured;
  const watch = createClockWatch(context);
  const goOn = (ms: number, step = 0): void => {
    measured += ms;
    pass(ms + step);
    watch();
  };
  goOn(HOUR);
  goOn(SECOND, 400);
  expect(logged('clock was set')).toEqual([]);
  goOn(SECOND, -HOUR);
  goOn(SECOND);
  expect(logged('clock was set')).toEqual([expect.stringContaining('"ms":-3600000')]);
  goOn(SECOND, 5 * SECOND);
  expect(logged('clock was set').at(-1)).toContain('"ms":5000');
  expect(await metric('turnpike_clock_steps_total')).toBe(2);
});
