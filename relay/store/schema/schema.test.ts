import { describe, expect, it } from 'vitest';
import { missingSteps, newestVersion, type Schema } from './schema.ts';

const schema: Schema = { version: 7, whole: 'all of 7', steps: ['to 8', 'to 9'] };
const stepsOf = (version: number) => missingSteps(schema, version);

describe('what a store needs to have the newest schema', () => {
  it('is everything for an empty one', () => {
    expect(stepsOf(0)).toEqual({ kind: 'steps', steps: ['all of 7', 'to 8', 'to 9'] });
    expect(newestVersion(schema)).toBe(9);
  });

  it.each([
    [7, ['to 8', 'to 9']],
    [8, ['to 9']],
    [9, []],
  ])('is what came after version %i', (version, steps) => {
    expect(stepsOf(version)).toEqual({ kind: 'steps', steps });
  });

  it.each([
    [1, /development version .* set store to an empty one/],
    [6, /development version/],
    [10, /newer version/],
  ])('is not defined for version %i, with a reason', (version, reason) => {
    expect(stepsOf(version)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });
});
