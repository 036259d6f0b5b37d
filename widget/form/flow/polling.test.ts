import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { initialState } from '../state.ts';
import { open } from '../view-testing.ts';
import { createWatch, FIRST_POLL_MS, nextPauseMs, Pauses } from './polling.ts';

const pix = { payment_method: 'PIX', can_abandon: true };
const view: CheckoutView = { ...open, status: 'unknown' };

afterEach(() => vi.unstubAllGlobals());

/** The pauses between thirty polls of a session that stays as it is. */
function pauses(differs: Partial<CheckoutView>, hidden = false): number[] {
  const state = initialState({ ...view, ...differs });
  const all = [FIRST_POLL_MS];
  for (let polls = 1; polls < 30; polls++) all.push(nextPauseMs(all.at(-1) ?? 0, state, hidden));
  return all;
}

describe('the pauses between polls', () => {
  it.each([
    ['unknown', { status: 'unknown' } as const, false, 10_000],
    [
      'confirmed after the issuer',
      { status: 'redirected', redirected: { ...pix, returned: true } } as const,
      true,
      2000,
    ],
    ['redirected', { status: 'redirected', redirected: { ...pix, returned: false } } as const, false, 30_000],
    ['pending', { status: 'pending' } as const, false, 30_000],
    ['pending in a hidden page', { status: 'pending' } as const, true, 300_000],
  ])('grow while a session is %s, up to a limit', (_, differs, hidden, limit) => {
    const all = pauses(differs, hidden);
    expect(all[0]).toBe(1000);
    expect(all).toEqual([...all].sort((left, right) => left - right));
    expect(all.at(-1)).toBe(limit);
  });
});

describe('a watch', () => {
  it('looks ever more rarely, once at a time, while it is on', async () => {
    const waits: number[] = [];
    const done = Promise.withResolvers<void>();
    let looks = 0;
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const watch = createWatch(
      wait,
      () => looks < 8,
      async () => {
        looks += 1;
        watch();
        if (looks === 8) done.resolve();
      },
    );
    vi.stubGlobal('document', { hidden: false });
    watch();
    watch();
    await done.promise;
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([3, 5, 8, 12, 20, 31, 50, 60]);
  });
});

describe('a pause', () => {
  it('ends by itself when its time is over', async () => {
    expect(await new Pauses(async () => {}).pause(1000)).toBe(false);
  });

  it('ends at once when the shopper is back, each time', async () => {
    const waiting = new Pauses(() => new Promise(() => {}));
    for (let times = 0; times < 3; times++) {
      const pause = waiting.pause(1000);
      waiting.hurry();
      expect(await pause).toBe(true);
    }
  });
});
