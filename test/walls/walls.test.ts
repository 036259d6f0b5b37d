import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Lints a little tree under the project's own rules and returns what the linter says of it. */
function lint(files: Record<string, string>): { ok: boolean; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-walls-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '--error-on-warnings'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { ok: status === 0, output: stdout + stderr };
}

const rooms: Record<string, string> = {
  shared: 'shared/gateway/thing.ts',
  relay: 'relay/gateway/thing.ts',
  widget: 'widget/form/thing.ts',
  sandbox: 'sandbox/shop/thing.ts',
  test: 'test/contract/thing.ts',
  bench: 'bench/relay/thing.ts',
};
const mayImport: Record<string, string[]> = {
  shared: [],
  relay: ['shared'],
  widget: ['shared'],
  sandbox: ['shared'],
  test: ['shared', 'relay', 'widget', 'sandbox', 'bench'],
};

const importing = (target: string): string =>
  `import { thing } from '../../${target}';\n\nexport const used = thing;\n`;
const exporting = 'export const thing = 1;\n';

describe('the walls between the rooms', () => {
  for (const [from, allowed] of Object.entries(mayImport)) {
    for (const to of Object.keys(rooms).filter((room) => room !== from)) {
      const isAllowed = allowed.includes(to);
      it(`${isAllowed ? 'let' : 'keep'} ${from}/ ${isAllowed ? 'import' : 'from importing'} ${to}/`, () => {
        const target = rooms[to]?.replace('thing.ts', 'other.ts') ?? '';
        const { ok, output } = lint({ [rooms[from] ?? '']: importing(target), [target]: exporting });
        expect(ok, output).toBe(isAllowed);
        if (!isAllowed) expect(output).toContain('noRestrictedImports');
      });
    }
  }

  it('keep I/O, clocks and globals out of shared/', () => {
    const bad = [
      "import { readFileSync } from 'node:fs';\n\nexport const x = readFileSync;\n",
      'export const x = process.env;\n',
      'export const x = fetch;\n',
    ];
    for (const content of bad) expect(lint({ 'shared/gateway/thing.ts': content }).ok, content).toBe(false);
    const crypto = "import { createHash } from 'node:crypto';\n\nexport const x = createHash;\n";
    expect(lint({ 'shared/gateway/thing.ts': crypto }).ok).toBe(true);
  });

  it.each(['import', 'import type'])('keep circles out of every room (%s)', (keyword) => {
    const { ok, output } = lint({
      'relay/a.ts': `${keyword} { B } from './b.ts';\n\nexport type A = B | string;\n`,
      'relay/b.ts': `${keyword} { A } from './a.ts';\n\nexport type B = A[];\n`,
    });
    expect(ok).toBe(false);
    expect(output).toContain('noImportCycles');
  });
});
