import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ReleaseError } from './errors.ts';

/** Forbidden file names in a release, and what they mean. */
const NAMES: readonly [RegExp, string][] = [
  [/\.test\.\w+$|(^|\/)(tests?|__tests__)\//, 'a test'],
  [/\.map$/, 'a source map'],
  [/\.d\.[cm]?ts$/, 'types'],
  [/\.[cm]?tsx?$/, 'TypeScript'],
  [
    /(^|\/)(\.[^/]+|[^/]*\.(pem|key|p12|db|db\.gz|sqlite|dump|log))$|^(deploy\/)?relay\.json$|^deploy\/(?!kubernetes\/[a-z]+\.yaml$).*\//,
    'a secret or data',
  ],
];

/** Forbidden texts in a release. */
const TEXTS: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/]{20}/, 'a private key'],
  [/^\/\/[#@] sourceMappingURL=data:/m, 'a source map'],
];

/** Throws ReleaseError, which lists the files below `folder` that must not be in a release. */
export function checkContents(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (entry.isSymbolicLink()) return `${path} (a link)`;
    if (!entry.isFile()) return [];
    const why = whyNot(path, () => readFileSync(join(folder, path), 'utf8'));
    return why === undefined ? [] : `${path} (${why})`;
  });
  if (found.length > 0) throw new ReleaseError(`These files do not belong into a release:\n  ${found.join('\n  ')}`);
}

/** Why a file must not be in a release; undefined if it may. */
export function whyNot(path: string, text: () => string): string | undefined {
  const byName = NAMES.find(([pattern]) => pattern.test(path));
  if (byName) return byName[1];
  return TEXTS.find(([pattern]) => pattern.test(text()))?.[1];
}
