import { z } from 'zod';

const sample = z.strictObject({
  files: z.array(z.string()),
  tests: z.string(),
  testMs: z.int().positive(),
  seed: z.string(),
  most: z.int().positive(),
});

/** The files whose code is changed, their unit tests (a glob) and the most time of one, and how many of their mutants are tried, by which seed. */
export type Sample = z.infer<typeof sample>;

/** The processes that run mutants are started by the library: they read the sample from their environment. */
const NAME = 'MUTATION_SAMPLE';

export function readSample(): Sample {
  return sample.parse(JSON.parse(process.env[NAME] ?? '{}'));
}

export function passSample(given: Sample): void {
  process.env[NAME] = JSON.stringify(given);
}
