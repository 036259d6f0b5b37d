import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Lints a small tree under the project's rules. */
function lint(files: Record<string, string>): { ok: boolean; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-packages-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--error-on-warnings', '--max-diagnostics=none'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return { ok: status === 0, output: stdout + stderr };
}

const packages: Record<string, string> = {
  shared: 'shared/gateway/thing.ts',
  relay: 'relay/gateway/thing.ts',
  widget: 'widget/form/thing.ts',
  console: 'console/parts/thing.ts',
  client: 'client/folder/thing.ts',
  testing: 'testing/folder/thing.ts',
  cli: 'cli/folder/thing.ts',
  sandbox: 'sandbox/shop/thing.ts',
  test: 'test/contract/thing.ts',
  bench: 'bench/relay/thing.ts',
  build: 'build/folder/thing.ts',
  release: 'release/folder/thing.ts',
  gallery: 'gallery/folder/thing.ts',
  examples: 'examples/react/thing.ts',
};
const mayImport: Record<string, string[]> = {
  shared: [],
  build: [],
  release: ['shared', 'build'],
  relay: ['shared'],
  widget: ['shared', 'build'],
  console: ['shared', 'build'],
  client: ['shared'],
  testing: ['shared'],
  cli: ['shared', 'client', 'relay'],
  sandbox: ['shared', 'client'],
  examples: ['shared', 'client', 'sandbox'],
  test: [
    'shared',
    'relay',
    'widget',
    'console',
    'client',
    'testing',
    'cli',
    'sandbox',
    'bench',
    'examples',
    'gallery',
    'build',
    'release',
  ],
  gallery: [
    'shared',
    'relay',
    'widget',
    'console',
    'client',
    'testing',
    'cli',
    'sandbox',
    'test',
    'bench',
    'examples',
    'build',
    'release',
  ],
};

const importing = (target: string): string =>
  `import { thing } from '../../${target}';\n\nexport const used = thing;\n`;
const exporting = 'export const thing = 1;\n';

/** A file that imports something of another package. */
const fileOf = (from: string, to: string): string => packages[from]?.replace('thing.ts', `of-${to}.ts`) ?? '';

/** The output of the linter for all packages, each of which imports every other one in a file of its own. */
function lintAll(): string {
  const names = Object.keys(packages);
  const files = names.flatMap((to) => {
    const target = packages[to]?.replace('thing.ts', 'other.ts') ?? '';
    const importers = names.filter((from) => from !== to).map((from) => [fileOf(from, to), importing(target)]);
    return [[target, exporting], ...importers];
  });
  return lint(Object.fromEntries(files)).output;
}

describe('the imports between packages', () => {
  const output = lintAll();
  for (const [from, allowed] of Object.entries(mayImport)) {
    const others = Object.keys(packages).filter((name) => name !== from);
    const thing = (to: string) => fileOf(from, to);
    for (const to of others) {
      const isAllowed = allowed.includes(to);
      it(`${isAllowed ? 'let' : 'keep'} ${from}/ ${isAllowed ? 'import' : 'from importing'} ${to}/`, () => {
        const refused = new RegExp(`${thing(to).replaceAll('.', '\\.')}:\\d+:\\d+ lint/style/noRestrictedImports`);
        if (isAllowed) expect(output).not.toContain(thing(to));
        else expect(output).toMatch(refused);
      });
    }
  }

  it('keep I/O, clocks and globals out of shared/', () => {
    const contents = [
      "import { readFileSync } from 'node:fs';\n\nexport const x = readFileSync;\n",
      "import { readFile } from 'fs/promises';\n\nexport const x = readFile;\n",
      "import express from 'express';\n\nexport const x = express;\n",
      'export const x = process.env;\n',
      'export const x = fetch;\n',
      'export const x = globalThis.fetch;\n',
      'export const x = Date.now();\n',
      'export const x = new Date();\n',
      'export const x = performance.now();\n',
      'export const x = crypto.randomUUID();\n',
      'export const x = setTimeout;\n',
      'export const x = localStorage;\n',
      'console.log(1);\n\nexport {};\n',
    ];
    const files = contents.map((content, at) => [`shared/gateway/thing-${at}.ts`, content] as const);
    const { output } = lint(Object.fromEntries(files));
    for (const [path, content] of files) expect(output, content).toContain(`${path}:`);
  });

  it.each(['libphonenumber-js', 'libphonenumber-js/max', 'libphonenumber-js/min/metadata'])(
    'keep libraries too large for a form out of shared/: %s',
    (name) => {
      const content = `import * as x from '${name}';\n\nexport const used = x;\n`;
      expect(lint({ 'shared/checkout/thing.ts': content }).ok).toBe(false);
    },
  );

  it('let shared/ import zod, canonicalize, hashes, libphonenumber-js/core and stdnum', () => {
    const content = `import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { getCountries } from 'libphonenumber-js/core';
import { validate } from 'stdnum/lib/cjs/br/cpf.js';
import { z } from 'zod';
import { thing } from '../checkout/other.ts';
import { near } from './near.ts';

export const x = [createHash, canonicalize, getCountries, validate, z, thing, near];
`;
    const files = { 'shared/checkout/other.ts': exporting, 'shared/gateway/near.ts': 'export const near = 1;\n' };
    const { ok, output } = lint({ ...files, 'shared/gateway/thing.ts': content });
    expect(ok, output).toBe(true);
  });

  it('keep relay/ from importing console/ folders, and allow its own', () => {
    const folders = readdirSync(join(root, 'console'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const files = folders.map(({ name }): [string, string] => [`relay/http/of-${name}.ts`, `console/${name}/other.ts`]);
    const { output } = lint(
      Object.fromEntries([
        ...files.flatMap(([path, target]) => [
          [path, importing(target)],
          [target, exporting],
        ]),
        ['relay/http/own.ts', "import { thing } from '../console/sign-in/thing.ts';\n\nexport const used = thing;\n"],
        ['relay/console/sign-in/thing.ts', exporting],
      ]),
    );
    for (const [path] of files) expect(output).toContain(`${path}:`);
    expect(output).not.toContain('own.ts');
  });

  it.each(['store', 'http', 'payments', 'operations'])('keep cli/ from importing relay/%s/', (layer) => {
    const target = `relay/${layer}/other.ts`;
    expect(lint({ 'cli/folder/thing.ts': importing(target), [target]: exporting }).ok).toBe(false);
  });

  it('keep server libraries out of widget/', () => {
    expect(lint({ 'widget/form/thing.ts': "import { z } from 'zod';\n\nexport const x = z;\n" }).ok).toBe(false);
  });

  it.each(['node:crypto', 'undici'])('keep modules of some runtimes only out of client/: %s', (name) => {
    const content = `import * as x from '${name}';\n\nexport const used = x;\n`;
    expect(lint({ 'client/thing.ts': content }).ok).toBe(false);
  });

  it.each(['node:fs', 'vitest'])('keep modules that shops’ tests may lack out of testing/: %s', (name) => {
    const content = `import * as x from '${name}';\n\nexport const used = x;\n`;
    expect(lint({ 'testing/thing.ts': content }).ok).toBe(false);
  });

  it('apply to unit tests too, which may import test/support', () => {
    const target = 'relay/gateway/other.ts';
    expect(lint({ 'widget/form/thing.test.ts': importing(target), [target]: exporting }).ok).toBe(false);
    const support = 'test/support/other.ts';
    expect(lint({ 'widget/form/thing.test.ts': importing(support), [support]: exporting }).ok).toBe(true);
  });

  it.each(['import', 'import type'])('keep cycles out of every package (%s)', (keyword) => {
    const { ok, output } = lint({
      'relay/a.ts': `${keyword} { B } from './b.ts';\n\nexport type A = B | string;\n`,
      'relay/b.ts': `${keyword} { A } from './a.ts';\n\nexport type B = A[];\n`,
    });
    expect(ok).toBe(false);
    expect(output).toContain('noImportCycles');
  });
});
