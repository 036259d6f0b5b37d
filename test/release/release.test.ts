import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../client/index.ts';
import lock from '../../package-lock.json' with { type: 'json' };
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { serve } from '../support/http/http-server.ts';
import { account, apiKey, card, order, testConfig } from '../support/relays/relay.ts';
import {
  pathWithBrokenNode,
  pathWithNode,
  pathWithoutNode,
  type UnpackedRelease,
  unpackedRelease,
} from '../support/release.ts';
import { until } from '../support/time/until.ts';

const { NODE_COMPILE_CACHE } = process.env;

let release: UnpackedRelease;

beforeAll(async () => {
  release = await unpackedRelease();
});
afterAll(() => release.remove());

const files = () =>
  readdirSync(release.unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(release.unpacked.length + 1));

/** The paths of the packages in the archive, nested ones included. */
const modules = () =>
  files()
    .filter((file) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => file.replace(/\/package\.json$/, ''));

const lockEntries = new Map(Object.entries(lock.packages).map(([path, entry]) => [path, { dev: false, ...entry }]));

const sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  metadata: z.object({
    component: z.object({ version: z.string(), hashes: z.array(z.object({ content: z.string() })) }),
  }),
  components: z.array(
    z.object({
      purl: z.string(),
      licenses: z.array(
        z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]),
      ),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })).length(1),
      properties: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const readSbom = () => sbom.parse(JSON.parse(readFileSync(release.sbom, 'utf8')));

/** Runs a command of the release with only these folders on its PATH. */
function run(command: string, path: string, args: string[] = [], env: Record<string, string> = {}) {
  return spawnSync(join(release.unpacked, command), args, { env: { PATH: path, ...env }, encoding: 'utf8' });
}

/** Starts the release's relay, beside a sandbox gateway, with only Node on its PATH. */
async function startReleased(env: Record<string, string> = {}) {
  const { merchant_id, account_id, signingSecret } = account;
  const merchants = [{ merchant_id, account_id, signing_secret: signingSecret }];
  const gateway = createGateway({ merchants, publicUrl: () => gatewayServer.url });
  const gatewayServer = await serve(gateway.app);
  onTestFinished(gatewayServer.close);
  const config = join(release.scratch, 'relay.json');
  const folder = pathWithNode(release.scratch);
  writeFileSync(config, JSON.stringify(testConfig({ gatewayUrl: gatewayServer.url, folder })));
  const relay = spawn(join(release.unpacked, 'turnpike-relay'), {
    env: { PATH: folder, TURNPIKE_CONFIG: config, NODE_COMPILE_CACHE, ...env },
  });
  const ended = once(relay, 'close');
  onTestFinished(async () => {
    relay.kill('SIGTERM');
    await ended;
  });
  let output = '';
  for (const stream of [relay.stdout, relay.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  await until('the relay listens or ends', () => /relay listening/.test(output) || relay.exitCode !== null);
  return { url: /"url":"([^"]+)"/.exec(output)?.[1] ?? '', output: () => output, path: folder };
}

describe('the archive', () => {
  it('contains the relay, the command and the browser parts', () => {
    const { name, version, unpacked } = release;
    expect(readdirSync(unpacked)).toEqual(
      expect.arrayContaining(['turnpike-relay', 'turnpike', 'relay', 'dist', 'LICENSE']),
    );
    const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name, version, engines: { node: '>=24' } });
    expect(release.bytes).toBeLessThan(15_000_000);
  });

  it('contains only production packages, as in the lock file', () => {
    const expected = [...lockEntries].filter(([path, { dev }]) => path !== '' && !dev).map(([path]) => path);
    expect(modules().toSorted()).toEqual(expected.toSorted());
  });

  it('contains no test, TypeScript, source map, secret or link', () => {
    const unwanted =
      /\.test\.|(^|\/)(tests?|__tests__)\/|\.map$|\.[cm]?ts$|(^|\/)\.|\.(pem|key|db|log)$|^(sandbox|widget)\//;
    expect(files().filter((file) => unwanted.test(file))).toEqual([]);
    const links = readdirSync(release.unpacked, { recursive: true, withFileTypes: true });
    expect(links.filter((entry) => entry.isSymbolicLink())).toEqual([]);
  });

  it('contains the licence of every package in it', () => {
    const notices = readFileSync(join(release.unpacked, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const path of modules()) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      expect(notices).toContain(`${name}@`);
    }
    expect(notices).toMatch(/^preact@\S+ \(MIT\)\n\nThe MIT License/m);
  });
});

describe('beside the archive', () => {
  it('are checksums that sha256sum confirms', () => {
    const folder = join(release.archive, '..');
    const result = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    expect(result.split('\n').filter((line) => line.endsWith(': OK'))).toHaveLength(2);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('is a bill of materials that names every package once', () => {
    const { components, dependencies, metadata } = readSbom();
    const purls = components.map(({ purl }) => purl);
    expect(new Set(purls).size).toBe(purls.length);
    const places = components.flatMap(({ properties }) => properties).filter(({ name }) => name.endsWith(':path'));
    expect(places.map(({ value }) => value).toSorted()).toEqual(modules().toSorted());
    for (const name of ['preact', 'uplot', 'credit-card-type', '%40fingerprintjs/fingerprintjs']) {
      expect(purls).toContainEqual(expect.stringContaining(`pkg:npm/${name}@`));
    }
    const sums = readFileSync(release.sums, 'utf8');
    expect(sums).toContain(`${metadata.component.hashes[0]?.content}  `);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !purls.includes(ref))).toEqual([]);
    const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(purls.filter((purl) => !reached.has(purl))).toEqual([]);
  });

  it('is a bill of materials in which peers depend on each other', () => {
    const of = (name: string) =>
      readSbom().dependencies.find(({ ref }) => ref.startsWith(`pkg:npm/${name}@`))?.dependsOn ?? [];
    expect(of('pg-pool')).toEqual([expect.stringMatching('^pkg:npm/pg@')]);
    expect(of('%40opentelemetry/sdk-trace')).toContainEqual(expect.stringMatching('^pkg:npm/%40opentelemetry/api@'));
  });

  it('is a bill of materials with the hashes of the lock file', () => {
    for (const { hashes, properties } of readSbom().components) {
      const place = properties.find(({ name }) => name.endsWith(':path'))?.value;
      const entry = place === undefined ? undefined : lockEntries.get(place);
      if (!entry || !('integrity' in entry)) continue;
      expect(`sha512-${Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64')}`).toBe(entry.integrity);
    }
  });
});

describe('the unpacked release', () => {
  it('takes a payment with only Node on its PATH', async () => {
    const { url, path, output } = await startReleased();
    const client = createClient({ url, apiKey });
    const session = await client.sessions.create({ order: order() });
    const page = await (await fetch(session.checkout_url)).text();
    expect(page).toContain('autocomplete="cc-number"');
    const headers = { authorization: `Bearer ${session.client_secret}`, 'content-type': 'application/json' };
    const paid = await fetch(`${url}/checkout/api/pay`, { method: 'POST', headers, body: JSON.stringify(card) });
    expect(await paid.json()).toMatchObject({ status: 'approved' });
    const command = run('turnpike', path, ['orders', 'list', '--json'], {
      TURNPIKE_URL: url,
      TURNPIKE_API_KEY: apiKey,
    });
    expect(command.stdout, command.stderr).toContain(`"${session.order_no}"`);
    expect(output()).not.toContain('Warning');
  });

  it('checks its settings without a start', () => {
    const path = pathWithNode(release.scratch);
    const missing = run('turnpike-relay', path, ['check']);
    expect(missing.status).toBe(1);
    expect(JSON.parse(missing.stderr)).toMatchObject({ level: 'fatal', class: 'config', exit_code: 1 });
    const reload = run('turnpike-relay', path, ['check', '--reload']);
    expect(JSON.parse(reload.stderr)).toMatchObject({ level: 'error', class: 'config', exit_code: 1 });
    const config = join(release.scratch, 'checked.json');
    writeFileSync(config, JSON.stringify(testConfig({ gatewayUrl: 'http://127.0.0.1:9', folder: release.scratch })));
    const right = run('turnpike-relay', path, ['check'], { TURNPIKE_CONFIG: config });
    expect(right).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('starts through a link to its command, too', async () => {
    const link = join(release.scratch, 'linked');
    symlinkSync(join(release.unpacked, 'turnpike-relay'), link);
    const defaultPath = process.env.PATH ?? '';
    const result = spawnSync(link, ['--version'], { env: { PATH: defaultPath }, encoding: 'utf8' });
    expect(result.stdout).toBe(`${release.version}\n`);
  });

  it.each(['v20.20.2', 'v22.19.0', 'nonsense'])('refuses Node %s in one line', (version) => {
    for (const command of ['turnpike-relay', 'turnpike']) {
      const result = run(command, pathWithNode(release.scratch, version));
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toBe(
        `Turnpike needs Node.js 24 or newer, found: ${version}. Install it from https://nodejs.org, or put it first in PATH.\n`,
      );
    }
  });

  it('reports in one line that Node is missing', () => {
    const result = run('turnpike-relay', pathWithoutNode(release.scratch));
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^Turnpike needs Node\.js 24 or newer, found: none\. .*\n$/);
  });

  it('reports in one line why Node does not run', () => {
    const missing = 'node: libatomic.so.1: cannot open shared object file';
    const result = run('turnpike-relay', pathWithBrokenNode(release.scratch, missing));
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^Turnpike needs Node\.js 24 or newer, found: one that does not run \(.*\)\. .*\n$/);
    expect(result.stderr).toContain(missing);
    expect(result.stderr).toContain('apt-get install libatomic1');
  });

  it('serves an earlier release’s scripts, and warns about a missing one', async () => {
    const earlier = join(release.scratch, 'earlier');
    cpSync(join(release.unpacked, 'dist'), join(earlier, 'dist'), { recursive: true });
    const build = join(earlier, 'dist/build.json');
    const { form } = JSON.parse(readFileSync(build, 'utf8'));
    const [{ file }] = form.files;
    const older = 'form/older-A1b2C3d4.js';
    renameSync(join(earlier, 'dist', file), join(earlier, 'dist', older));
    writeFileSync(build, readFileSync(build, 'utf8').replaceAll(file, older));

    const gone = join(release.scratch, 'gone');
    const { url, output } = await startReleased({ TURNPIKE_PREVIOUS: `${gone}:${earlier}` });
    const script = await fetch(`${url}/${older}`);
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
    expect((await fetch(`${url}/${file}`)).status).toBe(200);
    expect((await fetch(`${url}/${older.replace('A1b2', 'E5f6')}`)).status).toBe(404);
    expect(output()).toContain(gone);
    expect(output()).toContain('TURNPIKE_PREVIOUS names a folder without a release');
    expect(output()).not.toContain(`"${earlier}/dist"`);
  });
});
