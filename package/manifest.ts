import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const rootManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** What a shop can import, and the module of each. */
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

/** Whose types our own refer to, by the packages that have them. They are the shop's, of whatever version. */
const peers = ['@types/react', 'playwright-core', 'preact', 'svelte', 'vue'];

/**
 * What only the doctor needs, and older Node versions do not run: npm leaves it out there, where the command says so itself, and
 * does not warn.
 */
const optional = ['canonicalize', 'undici'];

/**
 * The manifest of the package that was compiled into `folder`. Its dependencies are what the compiled modules import, in the
 * versions of the repository at `root`. Throws where they import what that has for development only.
 */
export function manifestOf(folder: string, root: string): object {
  const { version, license, dependencies } = rootManifest.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  const ranges = importedPackages(folder).map((name): [string, string] => {
    const range = dependencies[name];
    if (!range) throw new Error(`the package imports ${name}, which is none of the repository’s dependencies`);
    return [name, range];
  });
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
    dependencies: Object.fromEntries(ranges.filter(([name]) => !optional.includes(name))),
    optionalDependencies: Object.fromEntries(ranges.filter(([name]) => optional.includes(name))),
    peerDependencies: Object.fromEntries(peers.map((name) => [name, '*'])),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  };
}

/** The packages that the compiled modules below a folder import, be it by `import()`, in order. */
export function importedPackages(folder: string): string[] {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const names = scripts.flatMap((path) => specifiersOf(readFileSync(join(folder, path), 'utf8')));
  const packages = names.filter((name) => !/^(\.|node:)/.test(name) && !builtinModules.includes(name));
  return [...new Set(packages.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].toSorted();
}

/** What a compiled module imports, in one of three forms. Statements stand at the start of a line. */
function specifiersOf(script: string): string[] {
  const forms = [
    /^(?:import|export)\b[^'"`;=()]*\bfrom\s*['"]([^'"]+)['"]/gm,
    /^import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ];
  return forms.flatMap((form) => [...script.matchAll(form)].flatMap(([, name]) => name ?? []));
}
