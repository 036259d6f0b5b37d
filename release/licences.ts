import { ReleaseError } from './errors.ts';

/** Permissive licences, by SPDX id. Any other licence stops the release until somebody has read it and adds it here. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** A package and what it says about its licence: an SPDX expression, or undefined where it says nothing. */
type Licensed = { name: string; version: string; licence: string | undefined };

/** Throws ReleaseError, which lists every package whose licence is copyleft or unknown. */
export function checkLicences(packages: readonly Licensed[]): void {
  const refused = packages.filter(({ licence }) => licence === undefined || !isAllowed(licence));
  if (refused.length === 0) return;
  const lines = refused.map(({ name, version, licence = 'no licence' }) => `  ${name}@${version}: ${licence}`);
  throw new ReleaseError(
    `These packages cannot be released under their licences. Replace them, or add a permissive licence to release/licences.ts:\n${lines.join('\n')}`,
  );
}

/**
 * Whether an SPDX expression permits a release: a licence of the list, a choice (`OR`) with one of the list, or several (`AND`)
 * that all are. An expression that mixes both is refused, as is every exception (`WITH`).
 */
export function isAllowed(expression: string): boolean {
  const plain = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  const choices = plain.split(/\s+OR\s+/);
  if (choices.length > 1) return !/\sAND\s/.test(plain) && choices.some((id) => ALLOWED.has(id));
  return plain.split(/\s+AND\s+/).every((id) => ALLOWED.has(id));
}
