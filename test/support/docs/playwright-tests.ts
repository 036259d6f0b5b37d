import { stripTypeScriptTypes } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Test = (given: { page: Page }) => Promise<void>;

/**
 * Runs the tests of a file written for Playwright's own runner, one after another. `known` replaces its imports, in
 * addition to `test` and `expect`.
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

async function seen(value: unknown): Promise<void> {
  if (!isLocator(value)) throw new Error('only what is in a page can be visible');
  await value.waitFor();
}

function isLocator(value: unknown): value is Pick<Locator, 'waitFor'> {
  return typeof value === 'object' && value !== null && 'waitFor' in value;
}
