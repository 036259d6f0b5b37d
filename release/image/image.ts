import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RELEASED_AT, sumsOf, tarOf } from '../archive.ts';
import { ReleaseError } from '../errors.ts';
import type { Release } from '../release.ts';

/** The Debian release of the image, and its packages: the libraries of Node's program, and a small shell. */
const SUITE = 'trixie';
const PACKAGES = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'busybox'];

/** The names of a processor in Node and in OCI. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const rootManifest = z.object({ devDependencies: z.object({ node: z.string() }) });
const descriptor = z.object({ digest: z.string().transform((digest) => `blobs/${digest.replace(':', '/')}`) });
const index = z.object({ manifests: z.tuple([descriptor]) });
const imageManifest = z.object({ config: descriptor, layers: z.array(descriptor) });

/**
 * Makes the image of a release of the repository at `root` for this machine's processor: Debian and Node in one layer,
 * the release in another. Puts it beside the archive, adds it to SHA256SUMS, and returns its path. Needs mmdebstrap,
 * umoci, root's rights, and half a gigabyte in the folder `scratchIn`, but no daemon. Throws ReleaseError.
 */
export function makeImage(root: string, release: Release, scratchIn = tmpdir()): string {
  const { name, version, archive, sbom, sums } = release;
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined)
    throw new ReleaseError(`There is no image for processors of the kind ${process.arch}`);
  const scratch = mkdtempSync(join(scratchIn, 'turnpike-image-'));
  try {
    const { devDependencies } = rootManifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const base = join(scratch, 'base.tar');
    makeBase(join(root, 'release/image/root.sh'), nodePackage(root), base);
    const own = join(scratch, 'release.tar');
    makeOwn(archive, scratch, own);

    const layout = join(scratch, 'layout');
    const image = `${layout}:${version}`;
    const created = new Date(RELEASED_AT * 1000).toISOString();
    run('umoci', ['init', '--layout', layout]);
    run('umoci', ['new', '--image', image]);
    for (const [layer, content] of [
      [base, `Debian ${SUITE}, Node ${devDependencies.node}`],
      [own, `${name} ${version}`],
    ] as const) {
      const history = ['--history.created', created, '--history.created_by', content];
      run('umoci', ['raw', 'add-layer', '--image', image, ...history, layer]);
    }
    run('umoci', ['config', '--image', image, '--no-history', '--created', created, ...settingsOf(release)]);
    run('umoci', ['gc', '--layout', layout]);
    writeFileSync(join(layout, 'manifest.json'), dockersManifest(layout, `${name}:${version}`));

    const path = join(dirname(archive), `${name}-${version}-linux-${architecture}.oci.tar`);
    writeFileSync(path, tarOf(layout, ['oci-layout', 'index.json', 'manifest.json', 'blobs']));
    writeFileSync(sums, sumsOf([sbom, archive, path]));
    return path;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The runtime settings of a container. Its root may be read-only. */
function settingsOf({ name, version }: Release): string[] {
  const settings = {
    'config.user': '1000:1000',
    'config.workingdir': '/var/lib/turnpike',
    'config.cmd': '/opt/turnpike/current/turnpike-relay',
    'config.exposedports': '8080/tcp',
    'config.stopsignal': 'SIGTERM',
    'config.label': `org.opencontainers.image.title=${name}`,
    'manifest.annotation': `org.opencontainers.image.version=${version}`,
  };
  const env = {
    PATH: '/opt/turnpike/current:/usr/local/bin:/usr/bin',
    TURNPIKE_CONFIG: '/etc/turnpike/relay.json',
    // Secrets are files: { "file": "store" } is /run/secrets/store.
    CREDENTIALS_DIRECTORY: '/run/secrets',
  };
  return [
    ...Object.entries(settings).flatMap(([option, value]) => [`--${option}`, value]),
    ...Object.entries(env).flatMap(([variable, value]) => ['--config.env', `${variable}=${value}`]),
  ];
}

/** The folder of the npm package with Node's program and licence, which is also the one of the tests. */
function nodePackage(root: string): string {
  const folder = join(root, `node_modules/node/node_modules/node-linux-${process.arch}`);
  if (!existsSync(join(folder, 'LICENSE'))) throw new ReleaseError(`${folder} is missing. Run: npm ci`);
  return folder;
}

/** The layer with Debian's packages and Node. */
function makeBase(script: string, node: string, into: string): void {
  const options = ['--quiet', '--variant=extract', `--include=${PACKAGES.join(',')}`, `--extract-hook=${script}`];
  const env = { NODE: node, SOURCE_DATE_EPOCH: String(RELEASED_AT), TMPDIR: dirname(into) };
  run('mmdebstrap', [...options, SUITE, into], env);
}

/** The layer with the release. */
function makeOwn(archive: string, scratch: string, into: string): void {
  const folder = join(scratch, 'own/opt/turnpike/current');
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  writeFileSync(into, tarOf(join(scratch, 'own'), ['opt']));
}

/** The file that `docker load` reads in place of index.json if Docker uses its older image store. */
function dockersManifest(layout: string, tag: string): string {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(layout, path), 'utf8'));
  const [{ digest }] = index.parse(read('index.json')).manifests;
  const { config, layers } = imageManifest.parse(read(digest));
  return JSON.stringify([{ Config: config.digest, RepoTags: [tag], Layers: layers.map((layer) => layer.digest) }]);
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): void {
  try {
    execFileSync(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new ReleaseError(`${program} is missing. An image needs: apt-get install mmdebstrap umoci`);
    }
    throw new ReleaseError(`${program} failed: ${args.join(' ')}`);
  }
}
