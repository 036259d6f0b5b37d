import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bounded, within } from './bounded.ts';

describe('a bounded question', () => {
  it('runs once for all concurrent callers, and again afterwards', async () => {
    let asked = 0;
    const ask = bounded(async () => ++asked, { withinMs: 1000, keepMs: 0 });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect(await ask()).toBe(2);
  });

  it('keeps its answer for the given time', async () => {
    let asked = 0;
    let now = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const ask = bounded(async () => ++asked, { withinMs: 1000, keepMs: 50 });
    expect(await ask()).toBe(1);
    now += 49;
    expect(await ask()).toBe(1);
    now += 1;
    expect(await ask()).toBe(2);
  });

  it('has no answer after its time, and waits for the running call', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<string>();
    const ask = bounded(
      () => {
        asked += 1;
        return answer.promise;
      },
      { withinMs: 10, keepMs: 0 },
    );
    expect([await ask(), await ask()]).toEqual([undefined, undefined]);
    expect(asked).toBe(1);
    answer.resolve('late');
    expect(await ask()).toBe('late');
  });

  it('has no answer where it fails, and is asked again', async () => {
    let asked = 0;
    const ask = bounded(
      async () => {
        asked += 1;
        if (asked === 1) throw new Error('no');
        return asked;
      },
      { withinMs: 1000, keepMs: 0 },
    );
    expect([await ask(), await ask()]).toEqual([undefined, 2]);
  });
});

describe('a wait', () => {
  it('ends with the answer or with the time, whichever comes first', async () => {
    expect(await within(Promise.resolve('here'), 1000)).toBe('here');
    expect(await within(new Promise(() => undefined), 5)).toBeUndefined();
  });
});
