import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freshBuild, hashSources, widgetPart } from './parts.ts';

/** A repository with a fresh build of the widget, and how to write a file of it. */
async function builtRepository() {
  const root = mkdtempSync(join(tmpdir(), 'turnpike-parts-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of [
    'widget/form.ts',
    'shared/form.ts',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
    'dist/form-1.js',
  ]) {
    write(path, '1');
  }
  const sources = await hashSources(root, widgetPart.sources);
  write('dist/build.json', JSON.stringify({ sources, files: ['form-1.js'], packages: [] }));
  return { root, write };
}

it('is fresh while its sources have not changed', async () => {
  const { root, write } = await builtRepository();
  expect(await freshBuild(root, widgetPart)).toMatchObject({ files: ['form-1.js'] });
  write('widget/form.test.ts', 'a test is no source');
  expect(await freshBuild(root, widgetPart)).toBeDefined();
});

it.each(['widget/form.ts', 'shared/form.ts', 'widget/new.ts', 'vite.config.ts', 'package.json', 'package-lock.json'])(
  'is stale once %s changes',
  async (path) => {
    const { root, write } = await builtRepository();
    write(path, '2');
    expect(await freshBuild(root, widgetPart)).toBeUndefined();
  },
);

it.each(['dist/form-1.js', 'dist/build.json'])('is stale without %s', async (path) => {
  const { root } = await builtRepository();
  rmSync(join(root, path));
  expect(await freshBuild(root, widgetPart)).toBeUndefined();
});
