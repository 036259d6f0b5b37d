import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { buildPackage, packPackage } from '../../../package/build.ts';
import own from '../../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const modules = join(root, 'node_modules');

/** All strict options. For a few files, parallel checker threads do most of the work twice. */
const strict = [...['--noEmit', '--singleThreaded', '--pretty', 'false'], ...['--strict', '--target', 'es2022']];

/** Also checks the package's own declarations and those of every library, which is most of a compiler's work. */
export const declarationsToo = ['--skipLibCheck', 'false', '--skipDefaultLibCheck'];

/** The two ways in which shops' compilers resolve modules. */
export const resolutions = {
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
};

/**
 * A program of a shop's server that creates a session. It reads the relay's address and its key from the environment.
 */
export const shopCode = `import { createClient, RelayRefused, type SessionAnswer } from 'turnpike/client';

const turnpike = createClient({ url: process.env.RELAY ?? '', apiKey: process.env.KEY ?? '' });
const { id } = await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: '12.5' } });
const session: SessionAnswer = await turnpike.sessions.get(id);
console.log(session.status, session.amount);
try {
  await turnpike.sessions.get('cs_nothing');
} catch (error) {
  if (error instanceof RelayRefused) console.log(error.code);
}
`;

/** Imports every entry, and verifies a webhook that it signs itself. */
export const everyEntry = `import { createHmac } from 'node:crypto';
import { createClient } from 'turnpike/client';
import { testCards } from 'turnpike/testing';
import { createVerifier } from 'turnpike/webhooks';
import 'turnpike/browser';
import 'turnpike/browser/react';
import 'turnpike/browser/preact';
import 'turnpike/browser/svelte';
import 'turnpike/browser/vue';

const key = Buffer.alloc(32, 1);
const body = JSON.stringify({ type: 'dispute.opened', timestamp: '2027-03-31T10:15:02.000Z', data: { id: 'dp_1' } });
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', key).update(\`evt_1.\${timestamp}.\${body}\`).digest('base64');
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': \`v1,\${signature}\` };
const { type, known } = await createVerifier({ secrets: \`whsec_\${key.toString('base64')}\` })(body, headers);
console.log(typeof createClient, testCards.approved.number, type, known);
`;

export const everyEntryPrints = 'function 4111111111111111 dispute.opened false\n';

/** The manifest of the packed package. */
const packedManifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  bin: z.record(z.string(), z.string()).optional(),
  exports: z.record(z.string(), z.unknown()),
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});

/**
 * A project of a shop that installed the tarball, with the packages that its manifest requires and Node's types, and
 * no other library of ours. `run` runs one of its files with Node, or another `node`; `check` type-checks some.
 */
export async function shopWithPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-shop-'));
  const tarball = packageTarball(folder);
  const installed = join(folder, 'node_modules/turnpike');
  mkdirSync(installed, { recursive: true });
  const files = await must('tar', ['-xzvf', tarball, '-C', installed, '--strip-components=1'], folder);
  const manifest = packedManifest.parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  for (const library of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, '@types/node': '' }))
    install(library, folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  return {
    folder,
    /** The tarball's name, the paths of its files, its manifest, and its page. */
    packed: { name: basename(tarball), files: files.trim().split('\n'), manifest, readme },
    /** Adds one of our libraries, as the page says. */
    install: (library: string) => install(library, folder),
    write: (file: string, content: string) => writeFileSync(join(folder, file), content),
    run: (file: string, env: Record<string, string>, node = process.execPath) => execute(node, [file], folder, env),
    check: (...args: string[]) => execute(join(modules, '.bin/tsc'), [...strict, '--skipLibCheck', ...args], folder),
  };
}

/** The package as a tarball: that of the build, or if a source is newer, a new one in `folder`. */
export function packageTarball(folder: string): string {
  return packageOfBuild() ?? newPackage(folder);
}

/** The sources of a package. */
const sources = [
  ...[
    'browser',
    'build',
    'client',
    'cli',
    'console',
    'docs',
    'package',
    'relay',
    'release',
    'sandbox',
    'shared',
    'testing',
    'webhooks',
    'widget',
  ],
  ...['LICENSE', 'package.json'],
];

/** The tarball that `npm run build` made, unless one of its sources has changed since. */
function packageOfBuild(): string | undefined {
  const tarball = join(root, 'dist', `turnpike-${own.version}.tgz`);
  if (!existsSync(tarball)) return undefined;
  const { mtimeMs } = statSync(tarball);
  const isOlder = (path: string): boolean => statSync(path).mtimeMs < mtimeMs;
  const paths = sources.map((name) => join(root, name));
  const inside = paths
    .filter((path) => statSync(path).isDirectory())
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .map(({ parentPath, name }) => join(parentPath, name));
  return [...paths, ...inside].every(isOlder) ? tarball : undefined;
}

function newPackage(folder: string): string {
  const built = join(folder, 'built');
  buildPackage(built);
  return packPackage(built, folder);
}

function install(library: string, folder: string): void {
  const place = join(folder, 'node_modules', library);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(modules, library), place);
}

type Executed = { ok: boolean; output: string; errors: string };

function execute(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Executed> {
  return new Promise((done) => {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const options = { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
    execFile(command, args, options, (error, output, errors) => done({ ok: error === null, output, errors }));
  });
}

async function must(command: string, args: string[], cwd: string): Promise<string> {
  const { ok, output, errors } = await execute(command, args, cwd);
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}${errors}`);
  return output;
}
