import { isObject } from '../../shared/checkout/is-object.ts';
import type { BuildManifest } from '../../shared/checkout/scripts.ts';

/** How many loaders stay: a shop's page pins one by its hash, and asks for it until that page changes. */
const LOADERS = 10;

/**
 * Scripts of builds before this one that pages may still ask for: the last pinned loaders, and the form's scripts of the build
 * before this one, for a form that is open while it is replaced. `last` is that build's manifest, `current` names this one's files.
 */
export function earlierScripts(last: BuildManifest | undefined, current: ReadonlySet<string>): string[] {
  // What is on the disk may be of a build that knew no such lists.
  if (!last || !isObject(last.loader) || !Array.isArray(last.earlier)) return [];
  const isLoader = (file: string) => !file.startsWith('form/');
  const isOver = (file: string) => !current.has(file);
  const replaced = last.form.files.map(({ file }) => file).filter(isOver);
  const form = replaced.length ? replaced : last.earlier.filter((file) => !isLoader(file) && isOver(file));
  const loaders = [last.loader.file, ...last.earlier.filter(isLoader)].filter(isOver);
  return [...loaders.slice(0, LOADERS), ...form];
}
