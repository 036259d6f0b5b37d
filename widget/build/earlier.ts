import { isObject } from '../../shared/checkout/is-object.ts';
import type { BuildManifest } from '../../shared/checkout/scripts.ts';

/** The number of earlier loaders that are kept: a shop's page pins a loader by its hash, and requests it until that page changes. */
const LOADERS = 10;

/**
 * The scripts of earlier builds that pages may still request: the last loaders, and the form's scripts of the previous build, for forms that
 * are open during the replacement. `last` is the manifest of the previous build, `current` are the names of this build's files.
 */
export function earlierScripts(last: BuildManifest | undefined, current: ReadonlySet<string>): string[] {
  // The manifest may be of an earlier version, which has no such lists.
  if (!last || !isObject(last.loader) || !Array.isArray(last.earlier)) return [];
  const isLoader = (file: string) => !file.startsWith('form/');
  const isOver = (file: string) => !current.has(file);
  const replaced = last.form.files.map(({ file }) => file).filter(isOver);
  const form = replaced.length ? replaced : last.earlier.filter((file) => !isLoader(file) && isOver(file));
  const loaders = [last.loader.file, ...last.earlier.filter(isLoader)].filter(isOver);
  return [...loaders.slice(0, LOADERS), ...form];
}
