export type Expiry = { month: number; year: number };
export type ExpiryProblem = 'expiry_missing' | 'expiry_invalid' | 'expiry_past';

/**
 * Shows an expiry date as `MM / YY`: typed, pasted or filled in as `1230`, `12/2030` or `1/30`, or pasted or filled in as
 * `2030-12`, which typed key by key would be February at its first digit.
 * While something is being deleted nothing is added, or the shopper could not get rid of it.
 */
export function formatExpiry(text: string, deleting = false): string {
  const { month, year, separated } = split(text);
  const shownYear = /^20\d\d$/.test(year) ? year.slice(2) : year.slice(0, year.startsWith('20') ? 4 : 2);
  if (deleting) return shownYear ? `${month} / ${shownYear}` : month;
  const complete = month.length === 2 || separated || Number(month) > 1;
  if (!complete || !month) return month;
  return `${month.padStart(2, '0')} / ${shownYear}`;
}

/** Reads an expiry date; two-digit years are of this century. */
export function parseExpiry(text: string): Expiry | undefined {
  const { month, year } = split(text);
  if (!/^(\d\d|20\d\d)$/.test(year)) return undefined;
  const number = Number(month);
  return number >= 1 && number <= 12 ? { month: number, year: 2000 + (Number(year) % 100) } : undefined;
}

/** What is wrong with an expiry date, if anything. A card is good until the end of its month, where the shopper is. */
export function expiryProblem(text: string, now: Date): ExpiryProblem | undefined {
  if (!text.trim()) return 'expiry_missing';
  const expiry = parseExpiry(text);
  if (!expiry) return 'expiry_invalid';
  const monthsLeft = (expiry.year - now.getFullYear()) * 12 + expiry.month - (now.getMonth() + 1);
  return monthsLeft < 0 ? 'expiry_past' : undefined;
}

function split(text: string): { month: string; year: string; separated: boolean } {
  const yearFirst = /^\s*(20\d\d)\D+(\d\d?)\s*$/.exec(text);
  if (yearFirst) return { month: yearFirst[2] ?? '', year: yearFirst[1] ?? '', separated: true };
  const parts = /^\D*(\d{1,2})\D+(\d*)/.exec(text);
  if (parts) return { month: parts[1] ?? '', year: (parts[2] ?? '').slice(0, 4), separated: true };
  const digits = text.replace(/\D/g, '');
  const cut = /^[2-9]/.test(digits) ? 1 : 2;
  return { month: digits.slice(0, cut), year: digits.slice(cut, cut + 4), separated: false };
}
