import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What may be between two words: spaces, or a line break within a comment or a paragraph. */
const GAP = String.raw`\s+(?:(?:\*|//|>)\s+)?`;

/** Words that make a sentence a riddle: name the shopper, the shop, the operator or the program, and say what it does. */
const VAGUE = new RegExp(
  [
    // `noBody` is a name in code.
    '(?:no|some|any|every)(?-i:body)',
    'whoever',
    'what(?:ever)? (?:becomes?|became) of',
    // `for (const tell of listeners)` is code, too.
    '(?<!const )(?:tells?|told|hears?) of',
    '(?:is|are|was|were) (?:not )?told',
  ]
    .map((words) => String.raw`\b${words.replaceAll(' ', GAP)}\b`)
    .join('|'),
  'gi',
);

const MAX_TITLE_WORDS = 12;

const TITLE = /\b(?:it|test|describe)(?:\.\w+)*\((['"`])((?:\\.|(?!\1).)*)\1/g;

/** The vague words of a file, as `path:line: words`. */
function vagueWords(path: string, text: string): string[] {
  return [...text.matchAll(VAGUE)].map(({ 0: words, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path}:${line}: ${words.replaceAll(/\W+/g, ' ')}`;
  });
}

/** The titles of tests that are too long. */
function longTitles(path: string, text: string): string[] {
  return [...text.matchAll(TITLE)]
    .map(([, , title = '']) => title)
    .filter((title) => title.replaceAll(/\$\{[^}]*\}/g, 'value').split(/\s+/).length > MAX_TITLE_WORDS)
    .map((title) => `${path}: ${title}`);
}

/** The project's files with one of these endings, but for the copy of the gateway's interface and this one. */
function ownFiles(...endings: string[]): [path: string, text: string][] {
  const patterns = endings.map((ending) => `*${ending}`);
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && path !== 'docs/gateway-interface.md' && path !== 'docs/style.md')
    .filter((path) => !import.meta.filename.endsWith(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

it('has no vague words in code, texts and docs', () => {
  const files = ownFiles('.ts', '.tsx', '.md', 'en.json');
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap(([path, text]) => vagueWords(path, text))).toEqual([]);
});

it('has titles of at most twelve words', () => {
  const files = ownFiles('.test.ts', '.test.tsx');
  expect(files.flatMap(([path, text]) => longTitles(path, text))).toEqual([]);
});

it('finds a vague word and a long title', () => {
  const text = '/**\n * The shop is\n * told.\n */\nconst a = 1; // What\n// becomes of it.\n';
  expect(vagueWords('a.ts', text)).toEqual(['a.ts:2: is told', 'a.ts:5: What becomes of']);
  const title = 'one two three four five six seven eight nine ten eleven twelve thirteen';
  expect(longTitles('a.test.ts', `it('${title}', () => {});`)).toEqual([`a.test.ts: ${title}`]);
});
