import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/base/errors.ts';
import { COMMAND, errorsPage, withProblems } from '../../docs/generate-errors.ts';

const root = join(import.meta.dirname, '../..');
const page = errorsPage();

/** The production code of a package, file by file. */
function codeOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/(\.test|testing)\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'));
}

/** Strings that an expression finds in a package: its groups that are codes. */
function foundIn(folder: string, pattern: RegExp): Set<string> {
  const groups = codeOf(folder).flatMap((code) => [...code.matchAll(pattern)].flatMap(([, ...found]) => found));
  return new Set(groups.filter((code) => /^[a-z]+(_[a-z]+)*$/.test(code ?? '')));
}

function joined(...sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** The codes in the first cells of the tables between two headings or sentences of the page. */
function codesBetween(from: string, to: string): Set<string> {
  const [, part = ''] = page.split(from);
  const rows = (part.split(to)[0] ?? '').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm);
  const codes = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code));
  return new Set(codes.filter((code) => code !== 'code'));
}

describe('docs/errors.md', () => {
  it('shows the current problems of the HTTP API', () => {
    expect(page, `write it again: ${COMMAND}`).toBe(withProblems(page));
  });

  it('names every code of the package and no other', () => {
    const ofClasses = ['client', 'webhooks', 'testing'].map((folder) => foundIn(folder, /readonly code = '(\w+)'/g));
    const ofWebhooks = foundIn(
      'webhooks',
      /^export type WebhookRefusedCode = '(\w+)' \| '(\w+)' \| '(\w+)' \| '(\w+)';$/gm,
    );
    const ofTests = foundIn('testing', /code: '(\w+)', told/g);
    expect(ofWebhooks.size).toBe(4);
    expect(codesBetween('## npm package', '## Page')).toEqual(joined(...ofClasses, ofWebhooks, ofTests));
  });

  it('names every code of the form and the loader, no other', () => {
    const ofTheForm = foundIn('widget/form', /#break\('(\w+)'|#back\([^)]*\}, '(\w+)'|code: '(\w+)', message/g);
    const ofTheLoader = foundIn('widget/embed', /'error', \{ code: '(\w+)'/g);
    expect(ofTheForm.size).toBeGreaterThan(3);
    expect(codesBetween('## Page', '`Turnpike.doctor()` finds')).toEqual(joined(ofTheForm, ofTheLoader));
  });

  it('names every finding of the doctor and no other', () => {
    const found = foundIn('widget/embed', /^\s*(?:\{ )?code: '(\w+)'|code: session \? '(\w+)' : '(\w+)'/gm);
    const over = ['session_approved', 'session_failed', 'session_expired'];
    expect(found.size).toBeGreaterThan(15);
    expect(codesBetween('`Turnpike.doctor()` finds', '## Command line')).toEqual(new Set([...found, ...over]));
  });

  it('names every code and exit code of the command, no other', () => {
    const found = foundIn('cli', /new CliError\(\s*'(\w+)'|super\('(\w+)'|code: '(defect)'/g);
    const problems = [...page.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code = '']) => code);
    const own = new Set([...found].filter((code) => !problems.includes(code)));
    expect(own.size).toBeGreaterThan(9);
    expect(codesBetween('With `--json` an error', '## Start of the relay')).toEqual(own);
    const exits = [...page.matchAll(/^\| (\d) \| /gm)].map(([, exit]) => Number(exit));
    expect(exits).toEqual(Object.values(EXIT));
  });
});
