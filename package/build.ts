import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { manifestOf } from './manifest.ts';

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
  'cli.md',
  'gateway-profile.md',
];

/**
 * Builds the package that shops install, with its command, and puts it in the place of `folder` whole.
 * Throws when the types are wrong, and leaves what was there before: an old package is better than a broken one.
 */
export function buildPackage(folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    mkdirSync(join(fresh, 'docs'), { recursive: true });
    compile('tsconfig.json', fresh);
    compile('tsconfig.cli.json', fresh);
    writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifestOf(fresh, root), undefined, 2)}\n`);
    copyFileSync(join(root, 'LICENSE'), join(fresh, 'LICENSE'));
    // The pages stand beside it in the package.
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

function compile(settings: string, folder: string): void {
  const compiler = join(root, 'node_modules/.bin/tsc');
  // Threads that check so few files beside each other do most of the work twice.
  const args = ['-p', join(import.meta.dirname, settings), '--outDir', folder, '--singleThreaded'];
  execFileSync(compiler, args, { stdio: 'inherit' });
}

/** A page without its pictures, and without its links to files that do not come with it. */
function alone(page: string): string {
  return page
    .replace(/!\[[^\]]*\]\([^)]+\)\n*/g, '')
    .replace(/\[([^\]]+)\]\((?!#|\w+:)([^)#]+)(?:#[^)]*)?\)/g, (link, text, file) =>
      pages.includes(file) ? link : text,
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

if (import.meta.main) {
  const dist = join(root, 'dist');
  buildPackage(join(dist, 'package'));
  const older = readdirSync(dist).filter((name) => /^turnpike-\d.*\.tgz$/.test(name));
  for (const name of older) rmSync(join(dist, name));
  console.log(`dist/${basename(packPackage(join(dist, 'package'), dist))}`);
}
