import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { checkLicences } from './licences.ts';
import { directPaths, releasedPackages } from './packages.ts';
import { sbomOf } from './sbom.ts';

type Installed = {
  license?: unknown;
  licenses?: unknown;
  dev?: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const schema = z.object({
  components: z.array(z.object({ name: z.string(), licenses: z.array(z.unknown()) })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** The bill of materials of a repository with these packages, of which those for development are bundled. */
function billOf(installed: Record<string, Installed>, direct: readonly string[] = Object.keys(installed)) {
  const root = mkdtempSync(join(tmpdir(), 'turnpike-sbom-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'release');
  const [lock, bundled]: [Record<string, object>, string[]] = [{}, []];
  for (const [name, { dev, license = 'MIT', licenses, ...depends }] of Object.entries(installed)) {
    const path = `node_modules/${name}`;
    lock[path] = { version: '1.0.0', integrity: 'sha512-AAAA', dev, ...depends };
    if (dev) bundled.push(path);
    const file = join(dev ? root : folder, path, 'package.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ version: '1.0.0', ...(licenses ? { licenses } : { license }) }));
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: lock }));
  const packages = releasedPackages(root, folder, bundled);
  checkLicences(packages);
  const listed = (isDev: boolean) =>
    Object.fromEntries(direct.filter((name) => Boolean(installed[name]?.dev) === isDev).map((name) => [name, '1.0.0']));
  const manifest = { dependencies: listed(false), devDependencies: listed(true) };
  const paths = directPaths(manifest, packages);
  const own = { name: 'relay', version: '2.0.0', licence: 'MIT', sha256: 'ab', direct: paths };
  const { components, dependencies } = schema.parse(sbomOf(own, packages));
  const nameOf = (ref: string) => ref.replace(/^pkg:\w+\/|@[^@]*$/g, '').replace('%40', '@');
  return {
    licences: Object.fromEntries(components.map(({ name, licenses }) => [name, licenses])),
    dependsOn: Object.fromEntries(dependencies.map(({ ref, dependsOn }) => [nameOf(ref), dependsOn.map(nameOf)])),
  };
}

it('names what a package needs as a peer', () => {
  const { dependsOn } = billOf({
    '@otel/api': {},
    '@otel/core': { peerDependencies: { '@otel/api': '^1.0.0' } },
    pg: { dependencies: { 'pg-pool': '^3.0.0' }, peerDependencies: { 'pg-native': '>=3' } },
    'pg-pool': { peerDependencies: { pg: '>=8.0' } },
  });
  expect(dependsOn).toMatchObject({ '@otel/core': ['@otel/api'], 'pg-pool': ['pg'], pg: ['pg-pool'] });
});

it('lists as direct what the manifest names, and nothing else', () => {
  const { dependsOn } = billOf(
    {
      express: { dependencies: { 'body-parser': '^2.0.0' } },
      'body-parser': {},
      preact: { dev: true, dependencies: { signals: '^1.0.0' } },
      signals: { dev: true },
    },
    ['express', 'preact'],
  );
  expect(dependsOn).toMatchObject({ relay: ['express', 'preact'], express: ['body-parser'], preact: ['signals'] });
});

it('writes a licence as its id, and a combination as an expression', () => {
  const { licences } = billOf({
    plain: { license: ' MIT ' },
    wrapped: { license: '((MIT))' },
    choice: { license: '(MIT OR  GPL-3.0-only)' },
    old: { licenses: [{ type: 'MIT' }, { type: 'ISC' }] },
  });
  expect(licences).toEqual({
    plain: [{ license: { id: 'MIT' } }],
    wrapped: [{ license: { id: 'MIT' } }],
    choice: [{ expression: 'MIT OR GPL-3.0-only' }],
    old: [{ expression: 'MIT AND ISC' }],
  });
});
