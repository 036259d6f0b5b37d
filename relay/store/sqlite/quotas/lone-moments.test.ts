import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLoneMoments } from './moments.ts';

it('keeps the moment of each key, whatever was added and deleted', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 3000 }), kind: fc.constantFrom('add', 'add', 'delete') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4000, size: 'max' }), (steps) => {
      const [own, model] = [createLoneMoments(), new Map<string, number>()];
      for (const [at, { key, kind }] of steps.entries()) {
        const name = `key ${key}`;
        if (kind === 'delete') {
          own.delete(name);
          model.delete(name);
        } else if (!model.has(name)) {
          own.add(name, at);
          model.set(name, at);
        }
      }
      for (let key = 0; key <= 3000; key++) expect(own.get(`key ${key}`)).toBe(model.get(`key ${key}`));
    }),
    { numRuns: 30 },
  );
});

it('tells keys apart that differ in one place', () => {
  const own = createLoneMoments();
  for (let n = 0; n < 100_000; n++) own.add(`shop-${n} account`, n);
  for (let n = 0; n < 100_000; n++) if (own.get(`shop-${n} account`) !== n) throw new Error(`shop-${n}`);
  for (let n = 0; n < 100_000; n++) own.delete(`shop-${n} account`);
  expect(own.get('shop-7 account')).toBeUndefined();
});
