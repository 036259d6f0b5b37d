import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

/** Old packages state their licence as an object, or as several. */
const named = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]);
const manifest = z.object({
  version: z.string(),
  license: named.optional().catch(undefined),
  licenses: z.array(named).optional().catch(undefined),
});

/** An npm package with code or data in the release. */
export type ReleasedPackage = {
  /** Below the repository's folder, such as `node_modules/pg`. */
  path: string;
  name: string;
  version: string;
  /** As a plain SPDX expression (see `plainLicence`); undefined if the package states none. */
  licence: string | undefined;
  /** The text of its licence; undefined if the package has none. */
  licenceText: string | undefined;
  /** The hash of the package's tarball, as in the lock file: `sha512-` and base64. */
  integrity: string;
  /** Whether it is in the archive as a module of Node's, and not only inside of a browser part. */
  isModule: boolean;
  /**
   * The paths of the packages that it depends on, peers included. Optional ones that are not in the release are left
   * out.
   */
  dependsOn: string[];
};

/**
 * The packages of a release: those installed in `folder`, and `bundled`, the packages in the browser parts, which are
 * installed in the repository at `root`. Throws ReleaseError if the installed packages differ from the lock file.
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
      // A release contains no README files, so those of the repository's own installation are read.
      licenceText: licenceTextIn(where) ?? licenceSectionIn(join(root, path)),
      integrity: entry.integrity,
      isModule,
      dependsOn: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies })
        .flatMap((name) => nearest(paths, path, name) ?? [])
        .toSorted(),
    };
  });
}

/**
 * The paths of the packages in the manifest itself: modules are in its dependencies, and packages that are only in a
 * browser part are in its development dependencies.
 */
export function directPaths(
  { dependencies, devDependencies }: { dependencies: object; devDependencies: object },
  packages: readonly ReleasedPackage[],
): string[] {
  const isNamed = ({ path, isModule }: ReleasedPackage): boolean =>
    Object.hasOwn(isModule ? dependencies : devDependencies, path.slice('node_modules/'.length));
  return packages.filter(isNamed).map(({ path }) => path);
}

/** The paths of all packages installed below a folder, nested ones included. */
function modulesIn(folder: string, modules: string): string[] {
  if (!existsSync(join(folder, modules))) return [];
  const names = readdirSync(join(folder, modules)).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, modules, name)).map((own) => `${name}/${own}`) : name,
  );
  return names.flatMap((name) => [`${modules}/${name}`, ...modulesIn(folder, `${modules}/${name}/node_modules`)]);
}

/** The package that a package at `from` gets when it imports `name`: the nearest one, by Node's rules. */
function nearest(paths: readonly string[], from: string, name: string): string | undefined {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = `${at}/node_modules/${name}`;
    if (paths.includes(found)) return found;
  }
  return paths.find((path) => path === `node_modules/${name}`);
}

/** Undefined if a package states none. */
function licenceOf(written = ''): string | undefined {
  return plainLicence(written) || undefined;
}

function licenceTextIn(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
}

/** The section of a package's README about its licence, if it has a copyright notice; undefined if there is none. */
function licenceSectionIn(folder: string): string | undefined {
  const file = join(folder, 'README.md');
  if (!existsSync(file)) return undefined;
  const sections = readFileSync(file, 'utf8').split(/^#+ */m);
  const section = sections.find((one) => /^licen[cs]e\b/i.test(one) && /copyright/i.test(one));
  return section?.replace(/^.*\n/, '').trim();
}

/** The files that Node reads, and those that the licence requires. Types, sources and documents are left out. */
const KEPT = [/\.(js|cjs|mjs|json)$/, /^(licen[cs]e|copying|notice)/i];

/** Files of those kinds that no program loads. */
const DROPPED = [/\.(test|spec|min)\.[cm]?js$/, /^(package-lock|tsconfig|\.package-lock)\.json$/, /^\./, /rc\.json$/];

/** Folders of packages without code for users. */
const DROPPED_FOLDERS = /^(tests?|__tests__|bench(marks?)?|examples?|docs?|coverage|\..+)$/;

/**
 * Installs the production packages of the lock file of `root` into `folder`, verified by npm against its hashes, and
 * leaves only the needed files. No script of a package runs. Throws if npm fails.
 */
export function installModules(root: string, folder: string): void {
  const scratch = `${folder}.npm`;
  mkdirSync(scratch, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(scratch, file));
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', ['ci', ...options], { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] });
    copyPackages(join(scratch, 'node_modules'), join(folder, 'node_modules'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function copyPackages(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      // A package may have such a name itself; only folders inside packages are dropped.
      const isPackage = existsSync(join(source, 'package.json')) && from.endsWith('node_modules');
      if (isPackage || !DROPPED_FOLDERS.test(entry.name)) copyPackages(source, target);
    } else if (KEPT.some((kind) => kind.test(entry.name)) && !DROPPED.some((kind) => kind.test(entry.name))) {
      mkdirSync(to, { recursive: true });
      copyFileSync(source, target);
    }
  }
}
