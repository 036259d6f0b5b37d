import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The files that export a type, by the type's name. */
function exportedTypes(files: readonly [path: string, text: string][]): Map<string, string[]> {
  const names = files.flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => ({ name, path })),
  );
  return new Map([...Map.groupBy(names, ({ name }) => name)].map(([name, of]) => [name, of.map(({ path }) => path)]));
}

const repeated = (files: readonly [string, string][]): [string, string[]][] =>
  [...exportedTypes(files)].filter(([, paths]) => paths.length > 1);

it('gives each exported type of relay and shared a unique name', () => {
  const files = ['relay', 'shared'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .map((path): [string, string] => [`${room}/${path}`, readFileSync(join(root, room, path), 'utf8')]),
  );
  expect(exportedTypes(files).size).toBeGreaterThan(300);
  expect(repeated(files)).toEqual([]);
});

it('finds a name that two files export', () => {
  expect(
    repeated([
      ['a.ts', 'export type Sum = 1;\n'],
      ['b.ts', 'export type Sum = {\n'],
    ]),
  ).toEqual([['Sum', ['a.ts', 'b.ts']]]);
});
