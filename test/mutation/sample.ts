import { z } from 'zod';

const sample = z.strictObject({
  files: z.array(z.string()),
  tests: z.string(),
  testMs: z.int().positive(),
  seed: z.string(),
  most: z.int().positive(),
});

/**
 * The files to change, their unit tests (a glob) and the maximum time of one, and how many mutants to try, with which
 * seed.
 */
export type Sample = z.infer<typeof sample>;

/** The library starts the processes that run mutants: they read the sample from their environment. */
const NAME = 'MUTATION_SAMPLE';

export function readSample(): Sample {
  return sample.parse(JSON.parse(process.env[NAME] ?? '{}'));
}

export function passSample(given: Sample): void {
  process.env[NAME] = JSON.stringify(given);
}
