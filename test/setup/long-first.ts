import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the longest stories first, so that no worker waits for one of them at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/test/faults/kill-');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
