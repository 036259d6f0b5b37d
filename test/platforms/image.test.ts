import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeImage } from '../../release/image/image.ts';
import { startSandbox } from '../deploy/sandbox.ts';
import { podRunner } from '../support/deploy/containers.ts';
import { relayPod } from '../support/deploy/manifests.ts';
import { account, apiKey, card, order, testConfig } from '../support/relays/relay.ts';
import { type UnpackedRelease, unpackedRelease } from '../support/release.ts';
import { startPostgres } from '../support/stores/postgres.ts';
import { until } from '../support/time/until.ts';

const root = join(import.meta.dirname, '../..');

let place: string;
let release: UnpackedRelease;
let image: string;
let layout: string;
let bundle: string;
beforeAll(async () => {
  // On disk: the image is larger than some RAM disks, where the tests' scratch folder is.
  place = mkdtempSync('/var/tmp/turnpike-image-test-');
  release = await unpackedRelease();
  image = makeImage(root, release, place);
  layout = join(place, 'layout');
  bundle = join(place, 'bundle');
  mkdirSync(layout);
  execFileSync('tar', ['-xf', image, '-C', layout]);
  execFileSync('umoci', ['unpack', '--image', `${layout}:${release.version}`, bundle]);
}, 1_800_000);
afterAll(() => {
  release?.remove();
  rmSync(place, { recursive: true, force: true });
});

const inImage = (path = '') => join(bundle, 'rootfs', path);
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe('the image', () => {
  it('is among the checksums of its release', () => {
    expect(readFileSync(release.sums, 'utf8')).toContain(`${sha256(readFileSync(image))}  ${basename(image)}\n`);
    expect(statSync(image).size).toBeLessThan(80_000_000);
  });

  it('has the files that Docker’s older store asks for', () => {
    const entry = z.object({ Config: z.string(), RepoTags: z.array(z.string()), Layers: z.array(z.string()) });
    const [found] = z.tuple([entry]).parse(JSON.parse(readFileSync(join(layout, 'manifest.json'), 'utf8')));
    expect(found.RepoTags).toEqual([`turnpike-relay:${release.version}`]);
    for (const path of [found.Config, ...found.Layers]) {
      expect(`blobs/sha256/${sha256(readFileSync(join(layout, path)))}`).toBe(path);
    }
    const { rootfs } = z
      .looseObject({ rootfs: z.looseObject({ diff_ids: z.array(z.string()) }) })
      .parse(JSON.parse(readFileSync(join(layout, found.Config), 'utf8')));
    const layers = found.Layers.map((path) => `sha256:${sha256(gunzipSync(readFileSync(join(layout, path))))}`);
    expect(rootfs.diff_ids).toEqual(layers);
  });

  it('contains the release, Node, and packages that a scanner finds', () => {
    const manifest = readFileSync(inImage('opt/turnpike/current/package.json'), 'utf8');
    expect(manifest).toContain(`"version": "${release.version}"`);
    const packages = readFileSync(inImage('var/lib/dpkg/status'), 'utf8').match(/^Package: .*$/gm);
    expect(packages).toEqual(expect.arrayContaining(['Package: busybox', 'Package: libc6', 'Package: libstdc++6']));
    expect(packages?.length).toBeLessThan(12);
    expect(readFileSync(inImage('usr/local/share/doc/node/LICENSE'), 'utf8')).toContain('Node.js is licensed');
    expect(readdirSync(inImage('opt/turnpike'))).toEqual(['current']);
  });

  it('has no program that gives its user more rights', () => {
    const found = execFileSync('find', [inImage(), '-type', 'f', '-perm', '/6000'], { encoding: 'utf8' });
    expect(found).toBe('');
  });
});

describe('a container of the image', () => {
  /** The relay as its pod on Kubernetes, with a PostgreSQL and a gateway of this machine. */
  async function startRelay() {
    const { gateway, url: gatewayUrl } = await startSandbox();
    const postgres = await startPostgres();
    onTestFinished(postgres.close);
    const folders = { config: join(place, 'config'), secrets: join(place, 'secrets') };
    for (const folder of Object.values(folders)) mkdirSync(folder);
    const { accounts, ...config } = testConfig({ gatewayUrl, folder: place });
    const [demo] = z
      .tuple([z.looseObject({})])
      .rest(z.unknown())
      .parse(accounts);
    const settings = {
      ...config,
      store: { file: 'store' },
      accounts: [{ ...demo, signing_secret: { file: 'signing' } }],
    };
    writeFileSync(join(folders.config, 'relay.json'), JSON.stringify(settings));
    writeFileSync(join(folders.secrets, 'store'), postgres.addressOf('postgres'));
    writeFileSync(join(folders.secrets, 'signing'), account.signingSecret);
    for (const file of ['store', 'signing']) chmodSync(join(folders.secrets, file), 0o444);

    const { start, folderOf } = podRunner(bundle, relayPod(), folders);
    const previous = start('previous');
    await previous.ended;
    expect(previous.output()).toBe('');
    expect(readdirSync(folderOf('previous'))).toEqual(['dist']);
    const relay = start('relay', ['TURNPIKE_INSTANCE=turnpike-1']);
    onTestFinished(async () => void (await relay.stop()));
    let isOver = false;
    void relay.ended.then(() => (isOver = true));
    await until('the relay listens or ends', () => isOver || /relay listening/.test(relay.output()));
    const url = /"url":"([^"]+)"/.exec(relay.output())?.[1] ?? '';
    expect(url, relay.output()).not.toBe('');
    return { gateway, relay, url };
  }

  it('takes payments as its manifest runs it, and stops in order', async () => {
    const { gateway, relay, url } = await startRelay();
    const [{ livenessProbe, readinessProbe }] = relayPod().spec.containers;
    const probe = z.looseObject({ httpGet: z.looseObject({ path: z.string() }) });
    for (const one of [livenessProbe, readinessProbe]) {
      expect((await fetch(`${url}${probe.parse(one).httpGet.path}`)).status).toBe(200);
    }
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'once',
    };
    const body = JSON.stringify({ ...order(), ...card });
    const paid = await fetch(`${url}/v1/payments`, { method: 'POST', headers, body });
    expect(await paid.json()).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list()).toHaveLength(1);

    expect(relay.exec('busybox', 'id', '-u').trim()).toBe('1000');
    expect(() => relay.exec('busybox', 'touch', '/opt/turnpike/current/x')).toThrow(/Read-only file system/);
    expect(relay.exec('turnpike', 'config', 'check', '/etc/turnpike/relay.json')).toMatch(/^account demo /m);
    expect(await relay.stop()).toBe(0);
    expect(relay.output()).not.toContain('TURNPIKE_PREVIOUS names a folder without a release');
    expect(relay.output()).toContain('"instance":"turnpike-1"');
  });
});
