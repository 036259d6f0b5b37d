import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../test/support/operators/cli.ts';
import { isInstalled } from '../../test/support/operators/programs.ts';
import { processIo } from '../base/io.ts';
import { createProgram } from '../program.ts';
import { commandNodes, pathsOf } from './tree.ts';

const root = join(import.meta.dirname, '../..');

/** Has a shell run code after the script that the command prints for it, and returns the words that it printed. */
async function run(shell: string, args: readonly string[], before: string, after: string): Promise<string[]> {
  const { code, out } = await cli(['completion', shell]);
  expect(code).toBe(0);
  const script = join(mkdtempSync(join(tmpdir(), 'turnpike-completion-')), 'script');
  writeFileSync(script, `${before}\n${out}\n${after}\n`);
  const words = execFileSync(shell, [...args, script], { cwd: root, encoding: 'utf8' });
  return words.split('\n').filter((word) => word !== '');
}

/** What a shell offers for the last of these words. */
const offers = {
  bash: (words: readonly string[]) =>
    run(
      'bash',
      ['--norc'],
      '',
      `COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _turnpike; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  // The completion system needs a terminal: these functions stand for it.
  zsh: (words: readonly string[]) =>
    run(
      'zsh',
      ['-f'],
      `compdef() { : }; _files() { print -l -- \${words[CURRENT]}*(N) }
_describe() { local -a all; all=(\${(P)@[-1]}); print -l -- \${(M)\${all[@]%%:*}:#\${words[CURRENT]}*} }`,
      `words=(${quoted(words)}); CURRENT=${words.length}; _turnpike`,
    ),
  fish: async (words: readonly string[]) => {
    const line = words.join(' ');
    return (await run('fish', ['--no-config'], '', `complete -C '${line}'`)).map((found) => found.split('\t')[0] ?? '');
  },
};

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

describe.each(['bash', 'zsh', 'fish'] as const)('the completion of %s', (shell) => {
  it.runIf(isInstalled(shell)).each([
    [['or'], ['orders']],
    [
      ['orders', ''],
      ['list', 'get', 'reconcile', 'help'],
    ],
    [['--json', '--url', 'orders', 'orders', 'list', '--st'], ['--status']],
    [['orders', 'list', '--status', ''], []],
    [['subscription', 'c'], ['cancel']],
    [['bulk', 'settle', 'CHANGEL'], ['CHANGELOG.md']],
    [['bulk', 'settle', '--out', 'CHANGEL'], ['CHANGELOG.md']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['doctor', 'sign', '--mess'], ['--message']],
  ])('offers what fits: %j', async (words, expected) => {
    expect((await offers[shell](['turnpike', ...words])).toSorted()).toEqual(expected.toSorted());
  });
});

describe('the completion of bash', () => {
  it('offers file names as they are', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-completion-')), 'files');
    mkdirSync(folder);
    const names = ['a b.csv', 'a*.csv', 'a?.csv', 'ab.csv'];
    for (const name of names) writeFileSync(join(folder, name), '');
    const offered = await offers.bash(['turnpike', 'bulk', 'settle', `${folder}/a`]);
    expect(offered.toSorted()).toEqual(names.map((name) => join(folder, name)).toSorted());
  });
});

describe('turnpike completion', () => {
  it('knows each command and option of the program', async () => {
    const program = await createProgram(processIo(), () => undefined);
    const nodes = commandNodes(program);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await cli(['completion', shell]);
      expect(nodes.flatMap(pathsOf).filter((path) => !out.includes(`'${path}'`))).toEqual([]);
    }
    const list = nodes.find((node) => pathsOf(node)[0] === ' orders list');
    const names = program.commands.find((one) => one.name() === 'orders')?.commands[0]?.options.map(({ long }) => long);
    expect(list?.options.flatMap((option) => option.names)).toEqual(expect.arrayContaining(names ?? ['none']));
  });

  it('works from the program itself', () => {
    const main = `"${process.execPath}" "${join(root, 'cli/main.ts')}"`;
    const code = `source <(${main} completion bash); COMP_WORDS=(turnpike bulk se); COMP_CWORD=2; _turnpike; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', code], { encoding: 'utf8' })).toBe('settle\n');
  });

  it('refuses another shell', async () => {
    expect(await cli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
