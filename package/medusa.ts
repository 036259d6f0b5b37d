import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { alone, compile, packPackage } from './build.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'integrations/medusa');

const rootManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.object({ zod: z.string() }),
});

/** The supported versions of Medusa: the provider reads the rows of captures and refunds in Medusa's payment module. */
const MEDUSA = '^2.21.2';

/**
 * Builds the package of the payment provider for Medusa, and replaces `folder` by it. It contains the modules of the
 * client and the webhooks that the provider imports. Medusa's packages are not installed here, so the compiler does not
 * check the provider's types: `npm run test:platforms -- medusa` checks them against an installed Medusa.
 */
export function buildMedusaPackage(folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    mkdirSync(fresh, { recursive: true });
    const args = ['-p', source, '--noCheck', '--outDir', fresh, '--singleThreaded'];
    execFileSync(join(root, 'node_modules/.bin/tsc'), args, { stdio: 'inherit' });
    compile('tsconfig.medusa.json', join(fresh, 'turnpike'));
    writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
    copyFileSync(join(root, 'LICENSE'), join(fresh, 'LICENSE'));
    writeFileSync(join(fresh, 'README.md'), alone(readFileSync(join(root, 'docs/medusa.md'), 'utf8'), []));
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function manifest(): object {
  const { version, license, dependencies } = rootManifest.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  return {
    name: 'turnpike-medusa',
    version,
    description: 'The payment provider of Turnpike for Medusa 2.',
    license,
    keywords: ['medusa-v2', 'medusa-plugin-payment'],
    type: 'module',
    engines: { node: '^20.19.0 || >=22.12.0' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    imports: {
      '#client': { types: './turnpike/client/index.d.ts', default: './turnpike/client/index.js' },
      '#webhooks': { types: './turnpike/webhooks/index.d.ts', default: './turnpike/webhooks/index.js' },
    },
    dependencies: { zod: dependencies.zod },
    peerDependencies: { '@medusajs/framework': MEDUSA },
  };
}

if (import.meta.main) {
  const dist = join(root, 'dist');
  buildMedusaPackage(join(dist, 'medusa'));
  const older = readdirSync(dist).filter((name) => /^turnpike-medusa-.*\.tgz$/.test(name));
  for (const name of older) rmSync(join(dist, name));
  console.log(`dist/${basename(packPackage(join(dist, 'medusa'), dist))}`);
}
