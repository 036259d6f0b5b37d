import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Example } from '../../examples/build.ts';
import { buildExamples, testExamples } from '../support/docs/example-pages.ts';

/** `npm test` runs the others. */
const names = ['vue', 'svelte'] as const;

let folder: string;
let built: Map<string, Example>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnpike-examples-'));
  built = await buildExamples(names, folder);
});
afterAll(() => rm(folder, { recursive: true }));

testExamples(names, () => built);
