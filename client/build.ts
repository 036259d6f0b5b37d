// biome-ignore-all lint/style/noRestrictedImports: it builds the client and is no part of it, so it may use Node.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

const ours = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.object({ zod: z.string() }),
  devDependencies: z.object({ 'playwright-core': z.string() }),
});

/**
 * Builds the client and the test kit as a package of their own, whose only dependency is zod, and puts it in the place of
 * `folder` whole. Throws when the types are wrong, and leaves what was there before: an old package is better than a broken one.
 */
export function buildClient(folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    mkdirSync(fresh, { recursive: true });
    const compiler = join(root, 'node_modules/.bin/tsc');
    execFileSync(compiler, ['-p', join(root, 'tsconfig.client.json'), '--outDir', fresh], { stdio: 'inherit' });
    writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
    copyFileSync(join(root, 'LICENSE'), join(fresh, 'LICENSE'));
    writeFileSync(join(fresh, 'README.md'), alone(readFileSync(join(root, 'docs/server-side.md'), 'utf8')));
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function manifest(): object {
  const { version, license, dependencies, devDependencies } = ours.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  return {
    name: 'turnpike',
    version,
    description: 'A typed client of the Turnpike relay, for shops’ servers, and helpers for their tests in browsers.',
    license,
    type: 'module',
    engines: { node: '>=20' },
    exports: Object.fromEntries(
      ['client', 'testing'].map((name) => [
        `./${name}`,
        { types: `./${name}/index.d.ts`, default: `./${name}/index.js` },
      ]),
    ),
    dependencies: { zod: dependencies.zod },
    // The test kit needs its types alone; @playwright/test brings them.
    peerDependencies: { 'playwright-core': `^${devDependencies['playwright-core']}` },
    peerDependenciesMeta: { 'playwright-core': { optional: true } },
  };
}

/** A page without its links to other files, which do not come with it. */
function alone(page: string): string {
  return page.replace(/\[([^\]]+)\]\((?!#|\w+:)[^)]+\)/g, '$1');
}

if (import.meta.main) buildClient(join(root, 'dist/package'));
