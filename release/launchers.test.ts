import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** A folder with a release that has nothing but its launcher, and an empty folder of the same name below `elsewhere`. */
function unpacked() {
  const parent = mkdtempSync(join(tmpdir(), 'turnpike launchers-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'a release');
  const elsewhere = join(parent, 'elsewhere');
  for (const path of [folder, join(elsewhere, 'a release')]) mkdirSync(path, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'turnpike-relay.sh'), join(folder, 'turnpike-relay'));
  copyFileSync(join(import.meta.dirname, '../build/check-node.sh'), join(folder, 'check-node.sh'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  symlinkSync(join(folder, 'turnpike-relay'), join(parent, 'linked'));
  return { parent, folder, elsewhere };
}

it('starts from every folder, by every name', () => {
  const { parent, folder, elsewhere } = unpacked();
  const version = (script: string, cwd: string, env = {}): string =>
    execFileSync('sh', [script, '--version'], { cwd, env: { ...process.env, ...env }, encoding: 'utf8' }).trim();
  expect(version(join(folder, 'turnpike-relay'), '/')).toBe('1.2.3');
  expect(version(join(parent, 'linked'), '/')).toBe('1.2.3');
  expect(version('turnpike-relay', folder)).toBe('1.2.3');
  expect(version('a release/turnpike-relay', parent, { CDPATH: elsewhere })).toBe('1.2.3');
});

it('restarts relays without Node', () => {
  const { parent, folder } = unpacked();
  mkdirSync(join(folder, 'deploy'));
  writeFileSync(join(folder, 'deploy/rolling-restart.sh'), 'echo restarted');
  const env = { PATH: '/usr/bin:/bin' };
  expect(execFileSync('sh', [join(parent, 'linked'), 'rolling-restart'], { env, encoding: 'utf8' })).toBe(
    'restarted\n',
  );
});
