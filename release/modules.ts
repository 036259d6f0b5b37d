import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What Node reads of a package, and what its licence asks to keep. Types, sources and documents stay out. */
const KEPT = [/\.(js|cjs|mjs|json)$/, /^(licen[cs]e|copying|notice)/i];

/** Files of those kinds that no program loads. */
const DROPPED = [/\.(test|spec|min)\.[cm]?js$/, /^(package-lock|tsconfig|\.package-lock)\.json$/, /^\./, /rc\.json$/];

/** Folders of packages that hold no code for users. */
const DROPPED_FOLDERS = /^(tests?|__tests__|bench(marks?)?|examples?|docs?|coverage|\..+)$/;

/**
 * Installs the production packages of the lock file of `root` into `folder`, verified by npm against its hashes, and leaves only
 * what a program needs of them. No script of a package runs. Throws where npm fails.
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
      // A package may bear such a name, its folders may not.
      const isPackage = existsSync(join(source, 'package.json')) && from.endsWith('node_modules');
      if (isPackage || !DROPPED_FOLDERS.test(entry.name)) copyPackages(source, target);
    } else if (KEPT.some((kind) => kind.test(entry.name)) && !DROPPED.some((kind) => kind.test(entry.name))) {
      mkdirSync(to, { recursive: true });
      copyFileSync(source, target);
    }
  }
}
