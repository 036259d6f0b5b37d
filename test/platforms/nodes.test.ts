import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyEntry, everyEntryPrints, packageTarball } from '../support/docs/packed-client.ts';
import { testConfig } from '../support/relays/relay.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-nodes-'));
const configFile = join(folder, 'relay.json');
let tarball: string;
beforeAll(() => {
  tarball = packageTarball(folder);
  writeFileSync(configFile, JSON.stringify(testConfig({ folder, gatewayUrl: 'http://127.0.0.1:1' })));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A new folder in which npm installs packages, with the given Node where there is one. */
function installed(name: string, packages: readonly string[], node?: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  const PATH = node === undefined ? process.env.PATH : `${join(node, '..')}:${process.env.PATH}`;
  const options = { cwd: place, env: { ...process.env, PATH }, encoding: 'utf8', stdio: 'pipe' } as const;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], options);
  return place;
}

/** The program of a version of Node, from its own package. */
function nodeOf(version: string): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return join(installed(`node-${version}`, [`${name}@${version}`]), 'node_modules', name, 'bin/node');
}

/** Runs a program of a shop, and returns its exit code and all that it printed. */
function run(node: string, shop: string, ...args: string[]): Promise<{ code: number | undefined; text: string }> {
  const env = { ...process.env, TURNPIKE_URL: 'http://127.0.0.1:1', TURNPIKE_API_KEY: 'key' };
  return new Promise((resolve) => {
    const child = execFile(node, args, { cwd: shop, env }, (_error, output, errors) =>
      resolve({ code: child.exitCode ?? undefined, text: output + errors }),
    );
  });
}

const command = 'node_modules/turnpike/cli/main.js';

describe.each(['20.20.2', '22', '24', '26'])('the package on Node %s', (version) => {
  let node: string;
  let shop: string;
  beforeAll(() => {
    node = nodeOf(version);
    shop = installed(`shop-${version}`, [tarball], node);
    writeFileSync(join(shop, 'every-entry.js'), everyEntry);
  });

  it('imports every entry', async () => {
    expect(await run(node, shop, 'every-entry.js')).toEqual({ code: 0, text: everyEntryPrints });
  });

  it.each([[['--help']], [['payout', '--help']], [['sandbox', '--help']]])('runs the command %j', async (args) => {
    expect(await run(node, shop, command, ...args)).toEqual({
      code: 0,
      text: expect.stringMatching(/^Usage: turnpike/),
    });
  });

  it('says that no relay answers', async () => {
    const { code, text } = await run(node, shop, command, 'orders', 'list');
    expect([code, text]).toEqual([1, expect.stringContaining('(relay_unreachable)')]);
  });

  it('checks a configuration, or says which Node does', async () => {
    const { code, text } = await run(node, shop, command, 'config', 'check', configFile);
    const isOld = version.startsWith('20');
    expect([code, text]).toEqual([isOld ? 2 : 0, expect.stringContaining(isOld ? 'Node 22.19 or newer' : '')]);
  });

  it('examines a gateway, or says which Node does', async () => {
    const { code, text } = await run(node, shop, command, 'doctor', '--config', configFile);
    const expected = version.startsWith('20')
      ? [2, expect.stringContaining('needs Node 22.19')]
      : [1, expect.anything()];
    expect([code, text]).toEqual(expected);
    expect(text).not.toContain('defect');
  });
});

describe('the package without its optional packages', () => {
  let shop: string;
  beforeAll(() => {
    shop = installed('shop-without', ['--omit=optional', tarball]);
  });

  it.each([
    ['config', 'check', configFile],
    ['doctor', '--config', configFile],
  ])('names the package that %s needs', async (...args) => {
    const { code, text } = await run(process.execPath, shop, command, ...args);
    expect([code, text]).toEqual([2, expect.stringContaining('(package_missing)')]);
  });

  it('lists orders', async () => {
    const { text } = await run(process.execPath, shop, command, 'orders', 'list');
    expect(text).toContain('(relay_unreachable)');
  });
});
