import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMoment, lastMoment, type Moments, removeMoment, removeUntil } from './moments.ts';

/** All of them, the newest first, as they are asked for. */
function read(moments: Moments): number[] {
  const found: number[] = [];
  for (let n = 1; ; n++) {
    const moment = lastMoment(moments, n);
    if (moment === undefined) return found;
    found.push(moment);
  }
}

const moment = fc.integer({ min: 0, max: 120 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('add'), moment }) },
  fc.record({ does: fc.constantFrom('remove', 'removeUntil'), moment }),
);

describe('moments', () => {
  it('stay in their order whatever comes, goes and comes back', () => {
    const sorted = fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const moments: Moments = { all: [], start: 0 };
      let model: number[] = [];
      for (const { does, moment } of steps) {
        if (does === 'add') {
          addMoment(moments, moment);
          model = [...model, moment].toSorted((a, b) => b - a);
        } else if (does === 'remove') {
          const index = model.indexOf(moment);
          expect(removeMoment(moments, moment)).toBe(index >= 0);
          if (index >= 0) model.splice(index, 1);
        } else {
          removeUntil(moments, moment);
          model = model.filter((one) => one > moment);
        }
        expect(read(moments)).toEqual(model);
      }
    });
    fc.assert(sorted, { numRuns: 60 });
  });

  it('leave from the oldest on without the others being looked at', () => {
    const work = (count: number): number => {
      let looks = 0;
      const seen = <Value>(value: Value): Value => {
        looks += 1;
        return value;
      };
      const all = new Proxy(
        Array.from({ length: count }, (_, n) => n),
        {
          get: (target, name) => seen(Reflect.get(target, name)),
          set: (target, name, value) => seen(Reflect.set(target, name, value)),
        },
      );
      const moments: Moments = { all, start: 0 };
      for (let n = 0; n < 100; n++) expect(removeMoment(moments, n)).toBe(true);
      return looks;
    };
    // To find each costs one look more for twice as many.
    expect(work(64_000)).toBeLessThan(2 * work(1000));
  });

  it('that are gone take no room in the end', () => {
    const moments: Moments = { all: [], start: 0 };
    for (let n = 0; n < 10_000; n++) {
      addMoment(moments, n);
      removeUntil(moments, n - 10);
    }
    expect(read(moments)).toHaveLength(10);
    expect(moments.all.length).toBeLessThan(100);
  });
});
