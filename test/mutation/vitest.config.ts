import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readSample } from './sample.ts';

/** Tests of random histories take seconds: most mutants fall to the others before. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => moduleId.includes('-properties.');
    return [...files.filter((file) => !isSlow(file)), ...files.filter(isSlow)];
  }
}

/** The unit tests of a folder whose code is changed: one process runs them for each change. */
export default defineConfig({
  test: {
    include: [readSample().tests],
    ...{ pool: 'threads', isolate: false, testTimeout: 60_000, sequence: { sequencer: QuickestFirst } },
  },
});
