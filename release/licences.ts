import { ReleaseError } from './errors.ts';

/** Permissive licences by SPDX id. Any other licence stops the release until a person has read it and adds it here. */
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

/** A package and its licence: a plain SPDX expression, or undefined if the package states none. */
type Licensed = { name: string; version: string; licence: string | undefined };

/** Throws ReleaseError, which lists every package with a copyleft or unknown licence. */
export function checkLicences(packages: readonly Licensed[]): void {
  const refused = packages.filter(({ licence }) => licence === undefined || !isAllowed(licence));
  if (refused.length === 0) return;
  const lines = refused.map(({ name, version, licence = 'no licence' }) => `  ${name}@${version}: ${licence}`);
  throw new ReleaseError(
    `These packages cannot be released under their licences. Replace them, or add a permissive licence to release/licences.ts:\n${lines.join('\n')}`,
  );
}

/** The name of the file with `noticesOf` in an archive or a package. */
export const NOTICES_FILE = 'THIRD-PARTY-LICENSES.txt';

/** The licences of packages by other authors, with their texts, as the licences require. */
export function noticesOf(packages: readonly (Licensed & { licenceText: string | undefined })[]): string {
  const once = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...once]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([title, { licence, licenceText }]) =>
        `${title} (${licence})\n\n${licenceText?.trim() ?? 'The package comes without a text of its licence.'}\n`,
    )
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** An SPDX expression without outer parentheses and superfluous spaces: `(MIT)` is `MIT`. */
export function plainLicence(expression: string): string {
  const text = expression.trim().replace(/\s+/g, ' ');
  return isWrapped(text) ? plainLicence(text.slice(1, -1)) : text;
}

/** Whether a text begins with a parenthesis that closes at its end. */
function isWrapped(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let open = 0;
  const end = [...text].findIndex((character) => {
    if (character === '(') open++;
    if (character === ')') open--;
    return open === 0;
  });
  return end === text.length - 1;
}

/** Whether an SPDX expression consists of several licences. */
export function isCombined(plain: string): boolean {
  return / (OR|AND|WITH) /.test(plain);
}

/**
 * Whether a plain SPDX expression permits a release: a licence of the list, a choice (`OR`) with at least one of the
 * list, or several (`AND`) that are all in the list. An expression with both operators is refused, and so is every
 * exception (`WITH`).
 */
export function isAllowed(plain: string): boolean {
  const choices = plain.split(' OR ');
  if (choices.length > 1) return !plain.includes(' AND ') && choices.some((id) => ALLOWED.has(id));
  return plain.split(' AND ').every((id) => ALLOWED.has(id));
}
