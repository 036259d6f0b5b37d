import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenBy, lint } from './lint.ts';

const root = join(import.meta.dirname, '../..');
const RESTRICTED = 'lint/style/noRestrictedImports';

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
  integrations: 'integrations/medusa/thing.ts',
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
  integrations: [],
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
    'integrations',
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
    'integrations',
    'build',
    'release',
  ],
};

const importing = (target: string): string =>
  `import { thing } from '../../${target}';\n\nexport const used = thing;\n`;
const exporting = 'export const thing = 1;\n';

/** A file that imports from another package. */
const fileOf = (from: string, to: string): string => packages[from]?.replace('thing.ts', `of-${to}.ts`) ?? '';

/** All packages, each with a file for every other package that imports it. */
function everyImport(): Record<string, string> {
  const names = Object.keys(packages);
  const files = names.flatMap((to) => {
    const target = packages[to]?.replace('thing.ts', 'other.ts') ?? '';
    const importers = names.filter((from) => from !== to).map((from) => [fileOf(from, to), importing(target)]);
    return [[target, exporting], ...importers];
  });
  return Object.fromEntries(files);
}

const usesAll = (name: string): string => `import * as x from '${name}';\n\nexport const used = x;\n`;

/** Impure code that shared/ must not contain. */
const impure = [
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
].map((content, at): [string, string] => [`shared/gateway/impure-${at}.ts`, content]);

const useful = `import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { getCountries } from 'libphonenumber-js/core';
import { validate } from 'stdnum/lib/cjs/br/cpf.js';
import { z } from 'zod';
import { thing } from '../checkout/other.ts';
import { near } from './near.ts';

export const x = [createHash, canonicalize, getCountries, validate, z, thing, near];
`;

/** Files of the relay that import from each folder of the console's package. */
const ofConsole = readdirSync(join(root, 'console'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }): [string, string] => [`relay/http/of-${name}.ts`, `console/${name}/other.ts`]);

/** Layers of the relay that the command must not import. */
const layers = ['store', 'http', 'payments', 'operations'];

/** Modules that a package must not import, as pairs of file and module. */
const outside: readonly (readonly [string, string])[] = [
  ['shared/checkout/large-1.ts', 'libphonenumber-js'],
  ['shared/checkout/large-2.ts', 'libphonenumber-js/max'],
  ['shared/checkout/large-3.ts', 'libphonenumber-js/min/metadata'],
  ['widget/form/server.ts', 'zod'],
  ['client/node.ts', 'node:crypto'],
  ['client/undici.ts', 'undici'],
  ['testing/node.ts', 'node:fs'],
  ['testing/vitest.ts', 'vitest'],
];

const files: Record<string, string> = {
  ...everyImport(),
  ...Object.fromEntries(impure),
  ...Object.fromEntries(outside.map(([path, name]) => [path, usesAll(name)])),
  'shared/checkout/other.ts': exporting,
  'shared/gateway/near.ts': 'export const near = 1;\n',
  'shared/gateway/useful.ts': useful,
  ...Object.fromEntries(
    ofConsole.flatMap(([path, target]) => [
      [path, importing(target)],
      [target, exporting],
    ]),
  ),
  'relay/http/own.ts': "import { thing } from '../console/sign-in/thing.ts';\n\nexport const used = thing;\n",
  'relay/console/sign-in/thing.ts': exporting,
  ...Object.fromEntries(
    layers.flatMap((layer) => [
      [`cli/folder/of-${layer}.ts`, importing(`relay/${layer}/other.ts`)],
      [`relay/${layer}/other.ts`, exporting],
    ]),
  ),
  'relay/gateway/other.ts': exporting,
  'test/support/other.ts': exporting,
  'widget/form/of-relay.test.ts': importing('relay/gateway/other.ts'),
  'widget/form/of-support.test.ts': importing('test/support/other.ts'),
  ...Object.fromEntries(
    ['import', 'import type'].flatMap((keyword, at) => [
      [`relay/a-${at}.ts`, `${keyword} { B } from './b-${at}.ts';\n\nexport type A = B | string;\n`],
      [`relay/b-${at}.ts`, `${keyword} { A } from './a-${at}.ts';\n\nexport type B = A[];\n`],
    ]),
  ),
};

describe('the imports between packages', () => {
  const output = lint(files);
  const broken = (path: string) => brokenBy(output, path);

  for (const [from, allowed] of Object.entries(mayImport)) {
    const others = Object.keys(packages).filter((name) => name !== from);
    for (const to of others) {
      const isAllowed = allowed.includes(to);
      it(`${isAllowed ? 'let' : 'keep'} ${from}/ ${isAllowed ? 'import' : 'from importing'} ${to}/`, () => {
        if (isAllowed) expect(broken(fileOf(from, to))).toEqual([]);
        else expect(broken(fileOf(from, to))).toContain(RESTRICTED);
      });
    }
  }

  it('keep I/O, clocks and globals out of shared/', () => {
    for (const [path, content] of impure) expect(broken(path), content).not.toEqual([]);
  });

  it.each(outside)('keep from %s: %s', (path) => {
    expect(broken(path)).toContain(RESTRICTED);
  });

  it('let shared/ import zod, canonicalize, hashes, libphonenumber-js/core and stdnum', () => {
    expect(broken('shared/gateway/useful.ts')).toEqual([]);
  });

  it('keep relay/ from importing the folders of console/', () => {
    expect(ofConsole.length).toBeGreaterThan(1);
    for (const [path] of ofConsole) expect(broken(path), path).toContain(RESTRICTED);
    expect(broken('relay/http/own.ts')).toEqual([]);
  });

  it.each(layers)('keep cli/ from importing relay/%s/', (layer) => {
    expect(broken(`cli/folder/of-${layer}.ts`)).toContain(RESTRICTED);
  });

  it('apply to unit tests too, which may import test/support', () => {
    expect(broken('widget/form/of-relay.test.ts')).toContain(RESTRICTED);
    expect(broken('widget/form/of-support.test.ts')).toEqual([]);
  });

  it('keep cycles out of every package', () => {
    for (const path of ['relay/a-0.ts', 'relay/a-1.ts']) {
      expect(broken(path)).toContainEqual(expect.stringMatching(/noImportCycles$/));
    }
  });
});
