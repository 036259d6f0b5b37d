import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenBy, lint } from './lint.ts';

const root = join(import.meta.dirname, '../..');

/** What the package for shops may import, and what it must not. */
const imports: readonly (readonly [from: string, name: string, isAllowed: boolean])[] = [
  ['webhooks', 'zod', true],
  ['webhooks', 'node:crypto', false],
  ['webhooks', 'standardwebhooks', false],
  ['browser', 'react', true],
  ['browser', 'preact', true],
  ['browser', 'svelte/elements', true],
  ['browser', 'vue', true],
  ['browser', 'zod', false],
  ...['webhooks', 'browser'].flatMap((from) => [
    [from, '../shared/api/other.ts', true] as const,
    ...['relay', 'widget', 'client', 'testing', 'sandbox', 'test'].map(
      (other) => [from, `../${other}/folder/other.ts`, false] as const,
    ),
  ]),
];

/** Every import of a repository file by another, as paths from the root. */
function ownImports(): { from: string; to: string }[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .flatMap((from) => {
      const names = readFileSync(join(root, from), 'utf8').matchAll(
        /^(?:import|export)\b[^'"`;=()]*\bfrom '(\.[^']+)'/gm,
      );
      return [...names].map(([, name = '']) => ({ from, to: join(dirname(from), name) }));
    });
}

const packageOf = (path: string): string => path.split('/')[0] ?? '';

describe('the imports of the package for shops', () => {
  const fileOf = (at: number, from: string) => `${from}/thing-${at}.ts`;
  const output = lint(
    Object.fromEntries(
      imports.map(([from, name], at) => [
        fileOf(at, from),
        `import type { thing } from '${name}';\n\nexport type Thing = typeof thing;\n`,
      ]),
    ),
  );

  it.each(imports.map((one, at) => [...one, at] as const))('in %s/ may be %s: %s', (from, _, isAllowed, at) => {
    expect(brokenBy(output, fileOf(at, from))).toEqual(isAllowed ? [] : ['lint/style/noRestrictedImports']);
  });

  // relay/ and test/ have folders with these names, and a linter rule cannot distinguish them.
  it('come only from shops, tests and benchmarks', () => {
    const own = ownImports();
    expect(own.length).toBeGreaterThan(1000);
    const users = (name: string) =>
      new Set(
        own
          .filter(({ from, to }) => packageOf(to) === name && packageOf(from) !== name)
          .map(({ from }) => packageOf(from)),
      );
    expect(users('browser')).toEqual(new Set());
    expect(users('package')).toEqual(new Set(['test', 'bench']));
    expect([...users('webhooks')].filter((from) => !['examples', 'test'].includes(from))).toEqual([]);
  });
});
