import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest to the shortest, so that no worker waits for another at the end. */
const ORDER = [
  /\/test\/simulation\/simulation/,
  /\/test\/faults\/kills\//,
  /\/test\/browser\//,
  /\/test\/(firefox|webkit)\//,
  /\/test\/(deploy|contract\/operating)\//,
  /\/test\//,
  /\/relay\/store\//,
];

/** Runs the longest stories first, and all files that share processes before the others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = ORDER.findIndex((pattern) => pattern.test(moduleId));
      return (project.config.isolate ? 100 : 0) + (place < 0 ? ORDER.length : place);
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
