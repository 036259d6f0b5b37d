import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readSample } from './sample.ts';

/** Tests of random histories take seconds; most mutants are found by the other tests first. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => moduleId.includes('-properties.');
    return [...files.filter((file) => !isSlow(file)), ...files.filter(isSlow)];
  }
}

const { tests, testMs } = readSample();

/** The unit tests of a folder whose code is changed. One process runs them for each change. */
export default defineConfig({
  test: {
    include: [tests],
    ...{ pool: 'threads', isolate: false, testTimeout: testMs, sequence: { sequencer: QuickestFirst } },
  },
});
