/** The fields that the one search box can look in. */
export const searchFields = ['order_no_prefix', 'email', 'last4', 'transaction_id_prefix'] as const;
export type SearchField = (typeof searchFields)[number];

/** What is searched for by a filter, if anything is. */
export function searchIn(filter: URLSearchParams): { field: SearchField; text: string } {
  const field = searchFields.find((name) => filter.has(name)) ?? 'order_no_prefix';
  return { field, text: filter.get(field) ?? '' };
}

/** The filter with another search, from the first page. An address with @ is searched as an e-mail whatever was chosen. */
export function withSearch(filter: URLSearchParams, field: SearchField, typed: string): URLSearchParams {
  const next = fromFirstPage(filter);
  for (const name of searchFields) next.delete(name);
  const text = typed.trim();
  if (text !== '') next.set(text.includes('@') ? 'email' : field, text);
  return next;
}

/** The filter with one field set, or without it, from the first page. */
export function withField(filter: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = fromFirstPage(filter);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}

/** The same filter at its first page. */
export function fromFirstPage(filter: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(filter);
  next.delete('before');
  return next;
}

/** A day of the person's calendar as the moment at which it begins, or ends. */
export function momentOf(day: string, end: 'begins' | 'ends'): string {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return '';
  if (end === 'ends') date.setDate(date.getDate() + 1);
  return date.toISOString();
}

/** The day of the person's calendar that a moment of `momentOf` stands for. */
export function dayOf(moment: string | null, end: 'begins' | 'ends'): string {
  if (moment === null) return '';
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  if (end === 'ends') date.setDate(date.getDate() - 1);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
