import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

/** The pages of docs/ that the package contains, for readers without this repository. */
const pages = [
  'server-side.md',
  'webhooks.md',
  'operations.md',
  'orders.md',
  'embedding.md',
  'events.md',
  'errors.md',
  'testing.md',
  'sandbox.md',
  'cli.md',
  'gateway-profile.md',
];

/** The maximum size of the tarball. The sandbox is five sixths of it. */
const MAX_BYTES = 2_300_000;

/**
 * Builds the package that shops install, with its command and the sandbox, and replaces `folder` by it. If the types
 * are wrong, it throws and keeps the previous package.
 */
export function buildPackage(folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    mkdirSync(join(fresh, 'docs'), { recursive: true });
    compile('tsconfig.json', fresh);
    bundle(fresh);
    writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifestOf(fresh, root), undefined, 2)}\n`);
    copyFileSync(join(root, 'LICENSE'), join(fresh, 'LICENSE'));
    // In the package, the pages are in the same folder.
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8').replaceAll('](../docs/', '](docs/');
    writeFileSync(join(fresh, 'README.md'), readme);
    for (const page of pages) {
      writeFileSync(join(fresh, 'docs', page), alone(readFileSync(join(root, 'docs', page), 'utf8')));
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Compiles the modules of a TypeScript configuration in package/ into a folder. Throws if the types are wrong. */
export function compile(settings: string, folder: string): void {
  const compiler = join(root, 'node_modules/.bin/tsc');
  // For so few files, parallel checker threads do most of the work twice.
  const args = ['-p', join(import.meta.dirname, settings), '--outDir', folder, '--singleThreaded'];
  execFileSync(compiler, args, { stdio: 'inherit' });
}

/** A bundler needs a process of its own, because it is asynchronous and this build is not. */
function bundle(folder: string): void {
  const script = join(import.meta.dirname, 'bundles.ts');
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], { stdio: 'inherit' });
}

/** A page without its pictures, and without its links to files that the package does not contain. */
export function alone(page: string, kept: readonly string[] = pages): string {
  return page
    .replace(/!\[[^\]]*\]\([^)]+\)\n*/g, '')
    .replace(/\[([^\]]+)\]\((?!#|\w+:)([^)#]+)(?:#[^)]*)?\)/g, (link, text, file) =>
      kept.includes(file) ? link : text,
    );
}

const packed = z.tuple([z.object({ filename: z.string() })]);

/** Packs a package that was built into `folder` as a tarball in the folder `into`, and returns its path. */
export function packPackage(folder: string, into: string): string {
  const args = [
    'pack',
    folder,
    '--pack-destination',
    into,
    '--json',
    '--offline',
    '--ignore-scripts',
    '--loglevel=error',
  ];
  const [{ filename }] = packed.parse(JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })));
  return join(into, filename);
}

const rootManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** The imports for shops, and the module of each. */
const entries = {
  './client': 'client/index',
  './testing': 'testing/index',
  './webhooks': 'webhooks/index',
  './browser': 'browser/index',
  './browser/react': 'browser/react',
  './browser/preact': 'browser/preact',
  './browser/svelte': 'browser/svelte',
  './browser/vue': 'browser/vue',
};

/** The packages whose types our own types use. The shop installs them, in any version. */
const peers = ['@types/react', 'playwright-core', 'preact', 'svelte', 'vue'];

/**
 * The packages that only the doctor needs. Older Node versions cannot run them: npm skips them there without a warning,
 * and the command reports it.
 */
export const optionalPackages = ['canonicalize', 'undici'];

/**
 * The manifest of the package that was compiled into `folder`. Its dependencies are the packages that the compiled
 * modules import, in the versions of the repository at `root`. Throws if they import a development dependency.
 */
function manifestOf(folder: string, root: string): object {
  const { version, license, dependencies } = rootManifest.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  const rangesOf = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.map((name) => {
        const range = dependencies[name];
        if (!range) throw new Error(`the package imports ${name}, which is none of the repository’s dependencies`);
        return [name, range];
      }),
    );
  return {
    name: 'turnpike',
    version,
    description: 'For shops that take payments with a Turnpike relay: client, webhooks, types for pages, test helpers.',
    license,
    type: 'module',
    engines: { node: '>=20' },
    bin: { turnpike: './cli/main.js' },
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([name, file]) => [name, { types: `./${file}.d.ts`, default: `./${file}.js` }]),
      ),
      './package.json': './package.json',
    },
    dependencies: rangesOf(importedPackages(folder)),
    optionalDependencies: rangesOf(optionalPackages),
    peerDependencies: Object.fromEntries(peers.map((name) => [name, '*'])),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  };
}

/**
 * The packages that the compiled modules below a folder import, also by `import()`, sorted. Bundles contain their
 * packages and are skipped.
 */
export function importedPackages(folder: string): string[] {
  const isOwn = (path: string): boolean => path.endsWith('.js') && !/^(cli|relay|sandbox)\//.test(path);
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOwn);
  const names = scripts.flatMap((path) => specifiersOf(readFileSync(join(folder, path), 'utf8')));
  const packages = names.filter((name) => !/^(\.|#|node:)/.test(name) && !builtinModules.includes(name));
  return [...new Set(packages.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].toSorted();
}

/** The imports of a compiled module, in one of three forms. Statements begin at the start of a line. */
function specifiersOf(script: string): string[] {
  const forms = [
    /^(?:import|export)\b[^'"`;=()]*\bfrom\s*['"]([^'"]+)['"]/gm,
    /^import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ];
  return forms.flatMap((form) => [...script.matchAll(form)].flatMap(([, name]) => name ?? []));
}

if (import.meta.main) {
  const dist = join(root, 'dist');
  buildPackage(join(dist, 'package'));
  const older = readdirSync(dist).filter((name) => /^turnpike-\d.*\.tgz$/.test(name));
  for (const name of older) rmSync(join(dist, name));
  const tarball = packPackage(join(dist, 'package'), dist);
  const { size } = statSync(tarball);
  console.log(`dist/${basename(tarball)}: ${(size / 1e6).toFixed(2)} MB`);
  if (size > MAX_BYTES) throw new Error(`The package has ${size} bytes, more than ${MAX_BYTES}: find what came in`);
}
