import { expect, it } from 'vitest';
import { z } from 'zod';
import { cpuMs } from '../../test/support/time/cpu-time.ts';
import { ProblemError } from '../base/errors.ts';
import { parseBody } from './routes.ts';

function errorsOf(body: object): ProblemError['errors'] {
  try {
    parseBody(z.strictObject({}), body);
  } catch (error) {
    if (error instanceof ProblemError) return error.errors;
  }
  return [];
}

it('names unknown fields in little time, however long and many', () => {
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`4539 5787 6362 ${at}`, 1]));
  const took = cpuMs(() => {
    expect(errorsOf(many)).toHaveLength(100);
    expect(errorsOf({ ['\\'.repeat(100_000)]: 1, ['4 '.repeat(400_000)]: 1 })).toMatchObject([
      { path: '\\'.repeat(200) },
      { path: '…' },
    ]);
  });
  expect(took).toBeLessThan(500);
});
