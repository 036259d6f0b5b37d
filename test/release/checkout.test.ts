import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scripts } from '../../package.json' with { type: 'json' };
import { pathWithNode } from '../support/release.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'turnpike-checkout-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A copy of the sources of the browser parts and of their build, without development packages. */
function checkout(): string {
  const folder = mkdtempSync(join(scratch, 'copy-'));
  for (const path of ['build', 'widget', 'console', 'shared', 'vite.config.ts', 'package.json', 'package-lock.json']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !/dist\/(package|release)$/.test(path),
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  return folder;
}

/** Runs the script `relay` of package.json with a stand-in for the relay, which prints `started`. */
function runRelay(folder: string, version?: string) {
  mkdirSync(join(folder, 'relay'), { recursive: true });
  writeFileSync(join(folder, 'relay/main.ts'), "console.log('started');\n");
  const env = { PATH: [pathWithNode(scratch, version), '/usr/bin', '/bin'].join(delimiter) };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', scripts.relay], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run relay without development packages', () => {
  it('starts while the build is up to date', () => {
    expect(runRelay(checkout())).toEqual({ status: 0, stdout: 'started\n', stderr: '' });
  });

  it.each(['dist', 'dist/build.json', 'dist/console'])('says in one line what to do without %s', (path) => {
    const folder = checkout();
    rmSync(join(folder, path), { recursive: true });
    const { status, stdout, stderr } = runRelay(folder);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The browser parts are not built, .* run `npm ci && npm run build`, or start a release .*\n$/,
    );
  });

  it('says the same when the sources are newer', () => {
    const folder = checkout();
    writeFileSync(join(folder, 'console/main.tsx'), '');
    expect(runRelay(folder)).toMatchObject({ status: 1, stdout: '' });
  });

  it('refuses an old Node in one line', () => {
    const { status, stdout, stderr } = runRelay(checkout(), 'v20.20.2');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Turnpike needs Node\.js 24 or newer, found: v20\.20\.2\. .*\n$/);
  });
});
