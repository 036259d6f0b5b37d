import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageText } from '../../docs/generate.ts';

const relay = join(import.meta.dirname, '../../relay');

/** The rules in the table of docs/architecture.md, each with the names of its functions. */
function rulesOf(page: string): { rule: number; name: string }[] {
  const [, section = ''] = page.split('## Rules of settlement');
  const rows = [...section.matchAll(/^\| (\d+)[a-z]?\. [^|]+\|[^|]+\|([^|]+)\|$/gm)];
  return rows.flatMap(([, rule, functions = '']) =>
    [...functions.matchAll(/`(\w+)(?:\(\))?`/g)].map(([, name = '']) => ({ rule: Number(rule), name })),
  );
}

/** The functions of a file whose docstrings start with the numbers of rules. */
function numberedIn(code: string): { rule: number; name: string }[] {
  const found = code.matchAll(
    /\/\*\*\s+(?:\* )?Rules? (\d+)(?: and (\d+))?\. (?:(?!\*\/)[\s\S])*\*\/\s*(?:export )?(?:async )?function (\w+)/g,
  );
  return [...found].flatMap(([, first, second, name = '']) =>
    [first, second].flatMap((rule) => (rule === undefined ? [] : [{ rule: Number(rule), name }])),
  );
}

const key = ({ rule, name }: { rule: number; name: string }): string => `${rule} ${name}`;

describe('the rules of settlement', () => {
  const listed = new Set(rulesOf(pageText('architecture')).map(key));
  const numbered = new Set(
    readdirSync(relay, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.ts$/.test(path))
      .flatMap((path) => numberedIn(readFileSync(join(relay, path), 'utf8')))
      .map(key),
  );

  it('have the numbers one to ten', () => {
    expect(new Set([...listed].map((one) => Number.parseInt(one, 10)))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    );
  });

  it('start the docstrings of the functions in the table', () => {
    expect([...listed].filter((one) => !numbered.has(one))).toEqual([]);
  });

  it('list each function whose docstring has a number', () => {
    expect([...numbered].filter((one) => !listed.has(one))).toEqual([]);
  });

  it('are found in the docstrings of functions', () => {
    const code = '/**\n * Rules 7 and 8. The sum.\n * @param a b\n */\nexport async function sum() {}\n/** Other. */\n';
    expect(numberedIn(code).map(key)).toEqual(['7 sum', '8 sum']);
  });
});
