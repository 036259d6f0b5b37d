import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '../../..');

type Test = (given: { page: Page }) => Promise<void>;

/** What stands for `@playwright/test`, which shops have and we do not, to the compiler. */
const types = `import type { Page } from 'playwright-core';

export function test(name: string, run: (given: { page: Page }) => Promise<void>): void;
type Matchers = { toEqual(value: unknown): void; toMatchObject(value: object): void; toBe(value: unknown): void };
export function expect(value: unknown): Matchers & { toBeVisible(): Promise<void> };
`;

/**
 * Runs the tests of a file that is written for Playwright's own runner, one after the other. `known` is what its imports would
 * have given it, beside `test` and `expect`.
 */
export async function runPlaywrightTests(code: string, known: object, openPage: () => Promise<Page>): Promise<void> {
  const tests: Test[] = [];
  const given = {
    ...known,
    test: (_name: string, run: Test) => void tests.push(run),
    expect: (value: unknown) => Object.assign(expect(value), { toBeVisible: () => seen(value) }),
  };
  const script = stripTypeScriptTypes(code.replaceAll(/^import .*\n/gm, ''));
  new Function(...Object.keys(given), script)(...Object.values(given));
  expect(tests.length).toBeGreaterThan(0);
  for (const run of tests) await run({ page: await openPage() });
}

/** What the compiler finds wrong with such files, in a new `folder` of a shop that has our package. */
export async function typeMistakes(folder: string, files: Record<string, string>): Promise<string> {
  mkdirSync(join(folder, 'tests'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, 'tests', name), code);
  writeFileSync(join(folder, 'playwright.d.ts'), types);
  const paths = { 'turnpike/*': [join(root, '*/index.ts')], '@playwright/test': [join(folder, 'playwright.d.ts')] };
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions: { paths }, include: ['tests'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--noEmit']).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

async function seen(value: unknown): Promise<void> {
  if (!isLocator(value)) throw new Error('only what is in a page can be visible');
  await value.waitFor();
}

function isLocator(value: unknown): value is Pick<Locator, 'waitFor'> {
  return typeof value === 'object' && value !== null && 'waitFor' in value;
}
