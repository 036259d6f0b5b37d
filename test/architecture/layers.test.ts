import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  consoleLayering,
  crowdedFolders,
  fileCycle,
  folderCycle,
  MAX_FILES,
  outsideLayers,
  readTree,
  relayLayering,
  type SourceFile,
  sandboxGatewayLayering,
  upwardImports,
} from './layers.ts';

describe.each([
  { name: 'relay', layering: relayLayering, importer: 'server.ts', imported: 'app.ts' },
  { name: 'sandbox/gateway', layering: sandboxGatewayLayering, importer: 'gateway.ts', imported: 'receive.ts' },
  { name: 'console', layering: consoleLayering, importer: 'main.tsx', imported: 'shell/console.tsx' },
])('the production files of $name/', ({ name, layering, importer, imported }) => {
  const files = readTree(join(import.meta.dirname, '../..', name));

  it('are read, with their imports', () => {
    expect(files.find(({ path }) => path === importer)?.imports).toContain(imported);
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    for (const layer of layering.layers.flat()) if (layer !== '*') expect(folders).toContain(layer);
  });

  it('import only layers below their own', () => expect(upwardImports(layering, files)).toEqual([]));
  it('belong to a layer or wire the layers together', () => expect(outsideLayers(layering, files)).toEqual([]));
  it('have no import cycle', () => expect(fileCycle(files)).toBeUndefined());
  it('are in folders without an import cycle', () => expect(folderCycle(files)).toBeUndefined());
  it(`are in folders of at most ${MAX_FILES} files`, () => expect(crowdedFolders(files)).toEqual([]));
});

describe('the check of layers', () => {
  it.each([
    ['import', "import { x } from '../store/store.ts';\n"],
    ['type import', "import type { X } from '../store/store.ts';\n"],
    ['import of several lines', "import {\n  type X,\n  y,\n} from '../store/store.ts';\n"],
    ['dynamic import', "export const x = await import('../store/store.ts');\n"],
    ['type of a module', "export type X = import('../store/store.ts').X;\n"],
    ['re-export', "export * from '../store/store.ts';\n"],
    ['re-export of types', "export type { X } from '../store/store.ts';\n"],
    ['import for its effect', "import '../store/store.ts';\n"],
  ])('finds an upward %s', (_, text) => {
    const files = tree({ 'gateway/call.ts': text, 'store/store.ts': '' });
    expect(upwardImports(relayLayering, files)).toEqual(['gateway/call.ts -> store/store.ts']);
  });

  it('finds an import of another layer of the same rank', () => {
    const files = tree({ 'checkout/pay.ts': "import '../operations/run.ts';\n", 'operations/run.ts': '' });
    expect(upwardImports(relayLayering, files)).toEqual(['checkout/pay.ts -> operations/run.ts']);
  });

  it('treats unnamed folders as layers of one rank if allowed', () => {
    const files = tree({
      'orders/list.tsx': "import '../parts/table.tsx';\nimport '../home/home.tsx';\n",
      'home/home.tsx': '',
      'parts/table.tsx': "import '../orders/row.tsx';\n",
      'orders/row.tsx': '',
    });
    expect(outsideLayers(consoleLayering, files)).toEqual([]);
    const upward = ['orders/list.tsx -> home/home.tsx', 'parts/table.tsx -> orders/row.tsx'];
    expect(upwardImports(consoleLayering, files)).toEqual(upward);
  });

  it('finds an import of wiring or of a file without layer', () => {
    const files = tree({
      'pages/page.ts': "import '../app.ts';\nimport '../misc/x.ts';\n",
      'misc/x.ts': '',
      'app.ts': '',
    });
    expect(upwardImports(relayLayering, files)).toEqual(['pages/page.ts -> app.ts', 'pages/page.ts -> misc/x.ts']);
    expect(outsideLayers(relayLayering, files)).toEqual(['misc/x.ts']);
  });

  it('lets the wiring import everything and a layer import lower layers', () => {
    const files = tree({
      'app.ts': "import './checkout/pay.ts';\nimport './stop.ts';\n",
      'checkout/pay.ts': "import '../base/ids.ts';\nimport './fields/card.ts';\nimport '../../shared/x.ts';\n",
      'stop.ts': '',
    });
    expect(upwardImports(relayLayering, files)).toEqual([]);
    expect(outsideLayers(relayLayering, files)).toEqual([]);
  });

  it('finds a file in the root that is not wiring', () => {
    expect(outsideLayers(relayLayering, tree({ 'helpers.ts': '', 'main.ts': '' }))).toEqual(['helpers.ts']);
  });

  it('finds a cycle of files', () => {
    const files = tree({
      'base/a.ts': "import './b.ts';\n",
      'base/b.ts': "import type { X } from './c.ts';\n",
      'base/c.ts': "export * from './a.ts';\n",
    });
    expect(fileCycle(files)).toEqual(['base/a.ts', 'base/b.ts', 'base/c.ts', 'base/a.ts']);
  });

  it('finds a cycle of folders whose files have no cycle', () => {
    const files = tree({
      'openapi/a/one.ts': "import '../b/one.ts';\n",
      'openapi/b/one.ts': '',
      'openapi/b/two.ts': "import '../a/two.ts';\n",
      'openapi/a/two.ts': '',
    });
    expect(fileCycle(files)).toBeUndefined();
    expect(folderCycle(files)).toEqual(['openapi/a', 'openapi/b', 'openapi/a']);
  });

  it('reports no cycle between a folder and its subfolder', () => {
    const files = tree({
      'store/open.ts': "import './sqlite/open.ts';\n",
      'store/sqlite/open.ts': "import '../store.ts';\n",
      'store/store.ts': '',
    });
    expect(folderCycle(files)).toBeUndefined();
  });

  it('finds a folder with too many files, not counting tests', () => {
    const full = Object.fromEntries(Array.from({ length: MAX_FILES }, (_, i) => [`base/file-${i}.ts`, '']));
    const tests = { 'base/one.test.ts': '', 'base/cases.ts': "import { it } from 'vitest';\n" };
    expect(crowdedFolders(tree({ ...full, ...tests }))).toEqual([]);
    expect(crowdedFolders(tree({ ...full, 'base/more.ts': '' }))).toEqual([`base holds ${MAX_FILES + 1} files`]);
  });
});

/** Writes a small tree of files and reads it. */
function tree(files: Record<string, string>): SourceFile[] {
  const root = mkdtempSync(join(tmpdir(), 'turnpike-layers-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readTree(root);
}
