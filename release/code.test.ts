import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyCode, deployFiles } from './code.ts';

it('leaves out what an operator keeps in deploy/', () => {
  const parent = mkdtempSync(join(tmpdir(), 'turnpike-code-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [root, folder] = [join(parent, 'root'), join(parent, 'release')];
  const own = [
    'deploy/secrets/store',
    'deploy/secrets/postgres_password',
    'deploy/tls/fullchain.crt',
    'deploy/relay.json',
    'deploy/relay.json.bak',
    'deploy/compose.override.yml',
    'deploy/turnpike.dump',
  ];
  const code = [
    ...['relay/main.ts', 'cli/main.ts', 'client/index.ts', 'shared/pay.ts'],
    'LICENSE',
    'CHANGELOG.md',
    'README.md',
    'build/check-node.sh',
    ...deployFiles.map((name) => `deploy/${name}`),
    'docs/decisions/a.md',
  ];
  const commands = ['release/turnpike-relay.sh', 'release/turnpike.sh'];
  for (const path of [...own, ...code, ...commands]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  mkdirSync(folder);
  copyCode(root, folder);
  expect(readdirSync(join(folder, 'deploy'), { recursive: true })).toEqual(deployFiles);
  expect(readdirSync(join(folder, 'docs/decisions'))).toEqual(['a.md']);
});
