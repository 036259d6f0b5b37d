import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { initialState } from '../state.ts';
import { open } from '../view-testing.ts';
import { FIRST_POLL_MS, nextPauseMs, Pauses, Watch } from './polling.ts';

const pix = { payment_method: 'PIX', can_abandon: true };
const view: CheckoutView = { ...open, status: 'unknown' };

afterEach(() => vi.unstubAllGlobals());

/** The pauses between thirty polls of a session that does not change. */
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
  /** A watch of so many polls. Its waits end at once, but the `endless`th one. */
  function watchOf(most: number, hidden = false, endless?: number) {
    const waits: number[] = [];
    const polls: number[] = [];
    const waiting = Promise.withResolvers<void>();
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms / 1000);
      if (waits.length !== endless) return;
      waiting.resolve();
      await new Promise(() => {});
    };
    const watch: Watch = new Watch(
      wait,
      () => polls.length < most,
      async () => {
        polls.push(waits.length);
        void watch.update();
      },
    );
    vi.stubGlobal('document', { hidden });
    return { watch, waits, polls, waiting: waiting.promise };
  }

  it('polls after 3, 5, 10 and 20 seconds, then each minute', async () => {
    const { watch, waits, polls } = watchOf(7);
    const watched = watch.update();
    void watch.update();
    await watched;
    expect(waits).toEqual([3, 2, 5, 10, 60, 60, 60]);
    expect(polls).toHaveLength(7);
  });

  it('rarely polls in a hidden page', async () => {
    const { watch, waits } = watchOf(3, true);
    await watch.update();
    expect(waits).toEqual([300, 300, 300]);
  });

  it('begins with short pauses again once the shopper is back', async () => {
    const { watch, waits, polls, waiting } = watchOf(7, false, 6);
    const watched = watch.update();
    await waiting;
    expect(polls).toHaveLength(5);
    watch.renew();
    await watched;
    expect(waits).toEqual([3, 2, 5, 10, 60, 60, 3, 2]);
  });

  it('ends at once when it is stopped, and can start again', async () => {
    const { watch, waits, polls, waiting } = watchOf(7, false, 6);
    const watched = watch.update();
    await waiting;
    const seen = polls.splice(0, polls.length, 0, 0, 0, 0, 0, 0, 0);
    void watch.update();
    await watched;
    expect(waits).toEqual([3, 2, 5, 10, 60, 60]);
    polls.splice(0, polls.length, ...seen);
    await watch.update();
    expect(waits.slice(6)).toEqual([3, 2]);
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
