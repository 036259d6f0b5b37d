import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { describe, expect, it } from 'vitest';
import config from '../../vite.config.ts';
import { crowdedFolders, fileCycle, MAX_FILES, readTree } from './layers.ts';

const root = join(import.meta.dirname, '../..');
const shared = join(root, 'shared');

/** The files of this repository outside shared/ that these files import. */
const outside = (imports: readonly (readonly [importer: string, imported: string])[]): string[] =>
  imports
    .map(([importer, imported]) => [relative(root, importer), relative(root, imported)] as const)
    .filter(([importer, imported]) => importer.startsWith('shared/') && !/^shared\/|\/?node_modules\//.test(imported))
    .map((pair) => pair.join(' -> '));

/** Builds the browser scripts as in production and returns which of their modules imports which. */
async function importsOfBuild(mode: string): Promise<[importer: string, imported: string][]> {
  const found: [string, string][] = [];
  const reader: Plugin = {
    name: 'import-reader',
    buildEnd() {
      for (const importer of this.getModuleIds()) {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(importer) ?? {};
        for (const imported of [...importedIds, ...dynamicallyImportedIds]) found.push([importer, imported]);
      }
    },
  };
  const { plugins = [], build: options, ...rest } = await config({ command: 'build', mode });
  await build({
    ...rest,
    root,
    mode,
    configFile: false,
    logLevel: 'error',
    plugins: [plugins, reader],
    build: { ...options, write: false },
  });
  return found;
}

describe('the production files of shared/', () => {
  const files = readTree(shared);

  it('import no other file of the repository', () => {
    const imports = files.flatMap(({ path }) => {
      const text = readFileSync(join(shared, path), 'utf8');
      const names = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"`](\.[^'"`]+)['"`]/g)];
      return names.map(([, name = '']) => [join(shared, path), resolve(shared, dirname(path), name)] as const);
    });
    expect(imports.length).toBeGreaterThan(50);
    expect(outside(imports)).toEqual([]);
  });

  it.each(['form', 'render'])('import no other file in the build of %s', async (mode) => {
    const imports = await importsOfBuild(mode);
    expect(imports.some(([importer]) => importer.startsWith(join(shared, 'checkout/fields')))).toBe(true);
    expect(outside(imports)).toEqual([]);
  });

  it('have no import cycle', () => expect(fileCycle(files)).toBeUndefined());
  it(`are in folders of at most ${MAX_FILES} files in checkout/`, () => {
    expect(crowdedFolders(readTree(join(shared, 'checkout')))).toEqual([]);
  });
});

describe('the production files of the form’s details', () => {
  const files = readTree(join(root, 'widget/form/details'));

  it('have no import cycle', () => expect(fileCycle(files)).toBeUndefined());
  it(`are in folders of at most ${MAX_FILES} files`, () => expect(crowdedFolders(files)).toEqual([]));
});
