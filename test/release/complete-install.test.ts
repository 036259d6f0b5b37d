import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scripts } from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/** A program that runs where its library is found, as the Node.js of node_modules on a bare Debian. */
const NODE = `case \${LD_LIBRARY_PATH-} in
*node-with-library*) echo v26.10.0 ;;
*) echo 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file' >&2; exit 127 ;;
esac`;

/** Stand-ins for a Debian on which only root may update the lists of packages. */
const PROGRAMS = {
  'apt-get': `case "$*" in
*Dir::State::lists=*update) touch updated ;;
*Dir::State::lists=*download*) [ -e updated ] && touch libatomic1_12.2.0-14_amd64.deb ;;
*) exit 100 ;;
esac`,
  'dpkg-deb': 'mkdir -p "$3/usr/lib" && echo library >"$3/usr/lib/libatomic.so.1"',
  npm: 'echo "npm $*"',
  node: 'echo v20.19.2',
};

/** Writes an executable shell script. */
function program(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** A checkout after npm's own part of an install. `node` is the program that npm installed. */
function installed(node: string, programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  program(join(folder, 'node_modules/node/bin/node'), node);
  for (const [name, body] of Object.entries(programs)) program(join(folder, 'bin', name), body);
  return { folder, path: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
}

/** Runs the script `postinstall` of package.json in a checkout. */
function completeInstall({ folder, path }: { folder: string; path: string }) {
  const script = scripts.postinstall.replace('build/', `${root}/build/`);
  return spawnSync('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: path }, encoding: 'utf8' });
}

it('takes the missing library of Node from Debian, without root', () => {
  const checkout = installed(NODE, PROGRAMS);
  const { status, stdout, stderr } = completeInstall(checkout);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('libatomic.so.1');
  expect(stdout).toMatch(/npm exec --yes --package=npm@\S+ -- npm install --no-save/);
  const launcher = join(checkout.folder, 'node_modules/node/bin/node');
  const started = spawnSync(launcher, ['--version'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' });
  expect(started.stdout).toBe('v26.10.0\n');
  const library = join(checkout.folder, 'node_modules/node/node-with-library/libatomic.so.1');
  expect(readFileSync(library, 'utf8')).toBe('library\n');
  expect(completeInstall(checkout).stdout).toBe('');
});

it('changes nothing where the library cannot be had', () => {
  const checkout = installed(NODE, { ...PROGRAMS, 'apt-get': 'exit 100' });
  expect(completeInstall(checkout).status).toBe(0);
  expect(readFileSync(join(checkout.folder, 'node_modules/node/bin/node'), 'utf8')).toContain(NODE);
});

it.each([
  ['v18.20.4', true],
  ['v20.18.3', true],
  ['v20.19.2', false],
  ['v24.1.0', false],
])('with the Node %s of npm, installs optional packages again: %s', (version, isAgain) => {
  const { status, stdout } = completeInstall(installed('echo v26.10.0', { ...PROGRAMS, node: `echo ${version}` }));
  expect({ status, isAgain: stdout.includes('npm install') }).toEqual({ status: 0, isAgain });
});

it('does nothing without development packages', () => {
  const checkout = installed(NODE, PROGRAMS);
  rmSync(join(checkout.folder, 'node_modules'), { recursive: true });
  expect(completeInstall(checkout)).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
