import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const PAGE = 'docs/gateway-interface.md';

/** The sections of the interface by number: its headings, and the numbered items of a section. */
function sectionsOf(text: string): Set<string> {
  const sections = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const [, heading] = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line) ?? [];
    const [, item] = /^(\d+)\. /.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    if (heading !== undefined || item !== undefined) sections.add(heading ?? `${section}.${item}`);
  }
  return sections;
}

/** Every file of the repository that may refer to the interface. */
function* ourFiles(folder = root): Generator<string> {
  const skipped = ['node_modules', 'dist', 'data', 'coverage', 'test-results'];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || skipped.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* ourFiles(path);
    else if (/\.(tsx?|md|json|yml|vue|svelte|html)$/.test(entry.name)) yield path;
  }
}

describe(PAGE, () => {
  const sections = sectionsOf(readFileSync(join(root, PAGE), 'utf8'));
  const references = [...ourFiles()].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, section = '']) => ({ path, section })),
  );

  it('has every section that code and pages refer to', () => {
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(({ section }) => !sections.has(section))).toEqual([]);
  });

  it('is the only document that section numbers refer to', () => {
    const elsewhere = [...ourFiles()].filter(
      (path) => /\.tsx?$/.test(path) && /\((?:the )?(?:spec|design) \d/.test(readFileSync(path, 'utf8')),
    );
    expect(elsewhere).toEqual([]);
  });
});
