import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressRule } from '../../../shared/checkout/fields/address/address.ts';
import { documentRule } from '../../../shared/checkout/fields/document/document.ts';
import { documents } from '../../../shared/checkout/fields/document/documents.ts';
import { problems } from '../../../shared/checkout/problem-codes.ts';
import { scopes } from '../../../shared/checkout/scopes.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import en from '../../../widget/locales/en.json' with { type: 'json' };
import { languages } from '../../../widget/locales/languages.ts';
import { allPages, pageText } from '../../support/docs/doc-blocks.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';
import { askableFields } from '../../support/payments/fields.ts';

const root = join(import.meta.dirname, '../../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...allPages()];

/** The cells of a table's rows, without its head. `head` is how the table begins. */
function tableOf(page: string, head: string): string[][] {
  const [, below] = pageText(page).split(`${head}`);
  if (below === undefined) throw new Error(`${page} has no table ${head}`);
  const [, , ...lines] = below.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('the pages', () => {
  it('with code are run, each by its own test', () => {
    const run = [
      ...['appearance', 'csp-and-sri', 'embedding', 'events', 'fields-and-methods', 'locales', 'testing', 'web-views'],
      ...[
        'alert-messages',
        'benchmarks',
        'cli',
        'configuration',
        'console',
        'deploy',
        'first-order',
        'gateway-profile',
        'high-availability',
        'medusa',
        'monitoring',
        'operations',
        'orders',
        'other-languages',
        'sandbox',
        'server-side',
        'store',
        'webhooks',
      ],
      'architecture',
    ];
    const withCode = allPages().filter((page) => /^ *(```|~~~)/m.test(pageText(page)));
    expect(new Set(withCode)).toEqual(new Set(run.map((name) => `docs/${name}.md`)));
  });
});

describe('docs/decisions', () => {
  const records = allPages().filter((page) => /^docs\/decisions\/\d/.test(page));

  it('are all in the list, in order', () => {
    const listed = [...pageText('docs/decisions/README.md').matchAll(/\]\((\d[\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(listed).toEqual(records.map((page) => page.split('/').at(-1)).toSorted());
  });

  it.each(records)('%s is short and has its three parts', (page) => {
    const lines = pageText(page).split('\n');
    expect(lines.length).toBeLessThanOrEqual(41);
    const headings = lines.filter((line) => line.startsWith('## '));
    expect(headings).toEqual(['## Context', '## Decision', '## Consequences']);
  });
});

/** GitHub's anchor for a heading. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\d\s_-]/gu, '')
    .replaceAll(' ', '-');

describe.each(pages)('%s', (page) => {
  const prose = pageText(page).replace(/^(```|~~~)[\s\S]*?^\1/gm, '');

  it('links to existing targets', () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    for (const target of links.filter((link) => !/^https?:/.test(link))) {
      const [path = '', anchor] = target.split('#');
      const file = path ? join(dirname(page), path) : page;
      expect(existsSync(join(root, file)), `${page} → ${target}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...pageText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
      expect(headings, `${page} → ${target}`).toContain(anchor);
    }
  });

  it('names existing commands', () => {
    const commands = codeIn(prose.replace(/\n/g, ' ')).filter((code) => /^(npm|npx vitest) run /.test(code));
    for (const command of commands) checkShell(command.replace(/ -t ".*"$/, ''));
  });
});

describe('docs/fields-and-methods.md', () => {
  const page = 'docs/fields-and-methods.md';

  it('names every field that a method may ask for', () => {
    const named = tableOf(page, '| group | fields |').flatMap(([, cell = '']) => {
      const [own = '', under = ''] = cell.split('and under');
      const [prefix = '', ...names] = codeIn(under);
      return [...codeIn(own).filter((name) => name !== 'banks'), ...names.map((name) => `${prefix}${name}`)];
    });
    expect(new Set(named)).toEqual(new Set(askableFields));
  });

  it('lists the fields of each group of collect', () => {
    const rows = tableOf(page, '| `collect` | the form shows | sends | checks |');
    const documented = rows.map(([name, , sends]) => [
      codeIn(name)[0],
      codeIn(sends).filter((code) => /^[a-z_]+$/.test(code)),
    ]);
    expect(Object.fromEntries(documented)).toEqual(collectGroups);
  });

  it('states the rules of each country', () => {
    const rows = tableOf(page, '| country | document | postal code | state |');
    const optional = (required: boolean) => (required ? '' : ', optional');
    for (const [country = '', ...documented] of rows) {
      const [code = ''] = codeIn(country);
      const { postalCode, state } = addressRule(code);
      expect(documented, country).toEqual([
        documentRule(documents, code)?.name ?? '–',
        postalCode?.example
          ? `${en.fields[postalCode.label]} \`${postalCode.example}\`${optional(postalCode.required)}`
          : '–',
        state?.options ? `${en.fields[state.label]}${optional(state.required)}` : '–',
      ]);
    }
    const codes = rows.map(([country]) => codeIn(country)[0]);
    for (const code of ['BR', 'MX', 'AR', 'CL', 'CO', 'US', 'CA', 'GB', 'DE', 'FR', 'ES', 'PT', 'IN', 'JP', 'AU']) {
      expect(codes).toContain(code);
    }
  });
});

describe('docs/locales.md', () => {
  it('names all languages', () => {
    const rows = tableOf('docs/locales.md', '| tag | language | tag | language | tag | language |');
    expect(new Set(rows.flat().flatMap(codeIn))).toEqual(new Set(Object.keys(languages)));
  });
});

describe('docs/console.md', () => {
  it('states what each scope permits', () => {
    const rows = tableOf('docs/console.md', '| scope | permits |');
    expect(rows.flatMap(([names]) => codeIn(names)).toSorted()).toEqual([...scopes].toSorted());
  });
});

describe('docs/events.md', () => {
  it('names only existing codes', () => {
    const ofTheForm = ['no_secret', 'incomplete', 'offline', 'request_lost'];
    const ofTheLoader = ['frame_timeout', 'navigate_refused'];
    const named = tableOf('docs/events.md', '| `code` | means |').flatMap(([codes]) => codeIn(codes));
    const others = [...ofTheForm, ...ofTheLoader, ...Object.keys(problems)];
    expect(named.filter((code) => !others.includes(code))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining([...ofTheForm, ...ofTheLoader]));
  });
});
