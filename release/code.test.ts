import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyCode, deployFiles } from './code.ts';

/** A folder with a repository of these files, and one for the release. */
function repository(files: Readonly<Record<string, string>>) {
  const parent = mkdtempSync(join(tmpdir(), 'turnpike-code-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [root, folder] = [join(parent, 'root'), join(parent, 'release')];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(folder);
  return { root, folder };
}

const code = [
  ...['relay/main.ts', 'cli/main.ts', 'client/index.ts', 'shared/pay.ts'],
  'LICENSE',
  'CHANGELOG.md',
  'README.md',
  'build/check-node.sh',
  ...deployFiles.map((name) => `deploy/${name}`),
  'docs/decisions/a.md',
  ...['release/turnpike-relay.sh', 'release/turnpike.sh'],
];
const empty = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));

it('leaves out an operator’s own files in deploy/', () => {
  const own = [
    'deploy/secrets/store',
    'deploy/kubernetes/secrets/store',
    'deploy/kubernetes/relay.json',
    'deploy/secrets/postgres_password',
    'deploy/tls/fullchain.crt',
    'deploy/relay.json',
    'deploy/relay.json.bak',
    'deploy/compose.override.yml',
    'deploy/turnpike.dump',
  ];
  const { root, folder } = repository(empty([...own, ...code]));
  copyCode(root, folder);
  const copied = readdirSync(join(folder, 'deploy'), { recursive: true, encoding: 'utf8' });
  expect(copied.filter((name) => name !== 'kubernetes').toSorted()).toEqual(deployFiles);
  expect(readdirSync(join(folder, 'docs/decisions'))).toEqual(['a.md']);
});

it('turns modules into JavaScript, line by line', () => {
  const main = [
    "import { pay } from '../shared/pay.ts';",
    'type Sum = { amount: string };',
    "const thread = 'stats/stats-thread.ts';",
    'export const sum = (given: Sum): string => pay(given.amount, thread);',
  ];
  const { root, folder } = repository({ ...empty(code), 'relay/main.ts': main.join('\n') });
  copyCode(root, folder);
  expect(readdirSync(join(folder, 'relay'))).toEqual(['main.js']);
  const lines = readFileSync(join(folder, 'relay/main.js'), 'utf8').split('\n');
  expect(lines.map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual([
    "import { pay } from '../shared/pay.js';",
    '',
    "const thread = 'stats/stats-thread.js';",
    'export const sum = (given ) => pay(given.amount, thread);',
  ]);
});
