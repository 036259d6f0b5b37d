import { expect, it, vi } from 'vitest';
import { readInPieces } from './remembering.ts';
import type { Pace } from './scheduler.ts';

/** Answers after 4 ms of its own clock. */
function slowObject() {
  let now = 0;
  const asked: string[] = [];
  return {
    asked,
    now: () => now,
    slow: {
      constant: 7,
      square(number: number) {
        if (!(this && 'square' in this)) throw new TypeError('asked through another');
        now += 4;
        asked.push(`square ${number}`);
        return number * number;
      },
    },
  };
}

function paceOf() {
  const turn = vi.fn(async () => {});
  return { turn, pace: { turn } as Pick<Pace, 'turn'> };
}

it('asks every question once, a few in each turn, and finds what is found in one go', async () => {
  const { slow, asked, now } = slowObject();
  const { turn, pace } = paceOf();
  const read = (object: typeof slow) => [1, 2, 3, 4, 5, 6, 7].map((number) => object.square(number) + object.constant);
  expect(await readInPieces(slow, read, pace, now)).toEqual([8, 11, 16, 23, 32, 43, 56]);
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `square ${number}`));
  expect(turn).toHaveBeenCalledTimes(3);
});

it('passes on what goes wrong', async () => {
  const { slow, now } = slowObject();
  const read = () => {
    throw new RangeError('out');
  };
  await expect(readInPieces(slow, read, paceOf().pace, now)).rejects.toThrow(RangeError);
});

it('knows an answer that is nothing', async () => {
  const ask = vi.fn(() => undefined);
  expect(await readInPieces({ ask }, (object) => [object.ask(), object.ask()], paceOf().pace)).toEqual([
    undefined,
    undefined,
  ]);
  expect(ask).toHaveBeenCalledTimes(1);
});
