import { defineConfig } from 'vitest/config';
import { readSample } from './sample.ts';

/** The unit tests of a folder whose code is changed: one process runs them for each change. */
export default defineConfig({
  test: { include: [readSample().tests], pool: 'threads', isolate: false, testTimeout: 60_000 },
});
