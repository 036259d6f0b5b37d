import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Whether the project's rules let a file import a module. */
function mayImport(file: string, name: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-shop-package-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const written = { ...config, $schema: undefined, vcs: { enabled: false } };
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(written));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `import type { thing } from '${name}';\n\nexport type Thing = typeof thing;\n`);
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
    execFileSync(join(root, 'node_modules/.bin/biome'), ['lint', '--error-on-warnings'], options);
    return true;
  } catch (error) {
    if (String(error instanceof Error && error.message).includes('noRestrictedImports')) return false;
    throw error;
  }
}

/** Every import of a file of ours by another, as paths from the root. */
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

describe('the imports of what shops install', () => {
  it.each([
    ['webhooks', 'zod', true],
    ['webhooks', 'node:crypto', false],
    ['webhooks', 'standardwebhooks', false],
    ['browser', 'react', true],
    ['browser', 'preact', true],
    ['browser', 'svelte/elements', true],
    ['browser', 'vue', true],
    ['browser', 'zod', false],
  ])('in %s/ may be %s: %s', (from, name, isAllowed) => {
    expect(mayImport(`${from}/thing.ts`, name)).toBe(isAllowed);
  });

  it.each(['webhooks', 'browser'])('of ours are shared/ alone in %s/', (from) => {
    expect(mayImport(`${from}/thing.ts`, '../shared/api/other.ts')).toBe(true);
    for (const other of ['relay', 'widget', 'client', 'testing', 'sandbox', 'test']) {
      expect(mayImport(`${from}/thing.ts`, `../${other}/folder/other.ts`), other).toBe(false);
    }
  });

  // relay/ and test/ have folders of these names, which a rule of the linter cannot tell from these.
  it('are made by nobody but shops, tests and benchmarks', () => {
    const imports = ownImports();
    expect(imports.length).toBeGreaterThan(1000);
    const users = (name: string) =>
      new Set(
        imports
          .filter(({ from, to }) => packageOf(to) === name && packageOf(from) !== name)
          .map(({ from }) => packageOf(from)),
      );
    expect(users('browser')).toEqual(new Set());
    expect(users('package')).toEqual(new Set(['test', 'bench']));
    expect([...users('webhooks')].filter((from) => !['examples', 'test'].includes(from))).toEqual([]);
  });
});
