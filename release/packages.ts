import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ReleaseError } from './errors.ts';
import { plainLicence } from './licences.ts';

const dependencies = z.record(z.string(), z.string()).default({});

const lockEntry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
  dependencies,
  optionalDependencies: dependencies,
  peerDependencies: dependencies,
});

const lockFile = z.object({ packages: z.record(z.string(), lockEntry) });

/** Old packages name their licence by an object, or several. */
const named = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]);
const manifest = z.object({
  version: z.string(),
  license: named.optional().catch(undefined),
  licenses: z.array(named).optional().catch(undefined),
});

/** An npm package whose code or data is in the release. */
export type ReleasedPackage = {
  /** Below the repository's folder, such as `node_modules/pg`. */
  path: string;
  name: string;
  version: string;
  /** As a plain SPDX expression (see `plainLicence`); undefined where the package names none. */
  licence: string | undefined;
  /** The text of its licence; undefined where the package has none. */
  licenceText: string | undefined;
  /** Of the package's tarball, as the lock file has it: `sha512-` and base64. */
  integrity: string;
  /** Whether it stands in the archive as a module of Node's, and not only inside of a browser part. */
  isModule: boolean;
  /** The paths of the packages that it depends on, as peers too. Optional ones that are not in the release are left out. */
  dependsOn: string[];
};

/**
 * The packages of a release: those installed in `folder`, and `bundled`, those that went into the browser parts, which are installed
 * in the repository at `root`. Throws ReleaseError where what is installed is not what the lock file says.
 */
export function releasedPackages(root: string, folder: string, bundled: readonly string[]): ReleasedPackage[] {
  const { packages: lock } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const installed = modulesIn(folder, 'node_modules');
  const paths = [...new Set([...installed, ...bundled])].toSorted();
  return paths.map((path) => {
    const isModule = installed.includes(path);
    const entry = lock[path];
    const where = join(isModule ? folder : root, path);
    const { version, license, licenses } = manifest.parse(
      JSON.parse(readFileSync(join(where, 'package.json'), 'utf8')),
    );
    if (!entry?.integrity || entry.version !== version || (isModule && entry.dev)) {
      throw new ReleaseError(`${path}@${version} is not what package-lock.json says: run npm ci, then npm run release`);
    }
    return {
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: licenceOf(license ?? licenses?.join(' AND ')),
      licenceText: licenceTextIn(where),
      integrity: entry.integrity,
      isModule,
      dependsOn: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies })
        .flatMap((name) => nearest(paths, path, name) ?? [])
        .toSorted(),
    };
  });
}

/**
 * The paths of those packages that a manifest itself names: as a dependency what is a module, for development what is only inside
 * of a browser part.
 */
export function directPaths(
  { dependencies, devDependencies }: { dependencies: object; devDependencies: object },
  packages: readonly ReleasedPackage[],
): string[] {
  const isNamed = ({ path, isModule }: ReleasedPackage): boolean =>
    Object.hasOwn(isModule ? dependencies : devDependencies, path.slice('node_modules/'.length));
  return packages.filter(isNamed).map(({ path }) => path);
}

/** The paths of all packages installed below a folder, nested ones too. */
function modulesIn(folder: string, modules: string): string[] {
  if (!existsSync(join(folder, modules))) return [];
  const names = readdirSync(join(folder, modules)).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, modules, name)).map((own) => `${name}/${own}`) : name,
  );
  return names.flatMap((name) => [`${modules}/${name}`, ...modulesIn(folder, `${modules}/${name}/node_modules`)]);
}

/** The package that a package at `from` gets when it imports `name`: the nearest one, as Node looks for it. */
function nearest(paths: readonly string[], from: string, name: string): string | undefined {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = `${at}/node_modules/${name}`;
    if (paths.includes(found)) return found;
  }
  return paths.find((path) => path === `node_modules/${name}`);
}

/** Undefined where a package names none. */
function licenceOf(written = ''): string | undefined {
  return plainLicence(written) || undefined;
}

function licenceTextIn(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
}
