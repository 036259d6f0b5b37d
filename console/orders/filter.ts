import type { OrderFilter } from '../../shared/api/order.ts';
import { cardNumberIn } from '../app/route.ts';
import { fromFirstPage } from '../parts/filter.ts';

/** The fields that the one search box can look in. */
export const searchFields = [
  'order_no_prefix',
  'email',
  'transaction_id_prefix',
] as const satisfies readonly (keyof OrderFilter)[];
type SearchField = (typeof searchFields)[number];

/** What is searched for by a filter, if anything is. */
export function searchIn(filter: URLSearchParams): { field: SearchField; text: string } {
  const field = searchFields.find((name) => filter.has(name)) ?? 'order_no_prefix';
  return { field, text: filter.get(field) ?? '' };
}

/** The field that a text is searched in: an e-mail is one whatever was chosen. */
export function fieldOf(text: string, chosen: SearchField): SearchField {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? 'email' : chosen;
}

/** The filter with another search, from the first page. Of a card number only the last four digits are searched for. */
export function withSearch(filter: URLSearchParams, chosen: SearchField, typed: string): URLSearchParams {
  const text = typed.trim();
  const card = cardNumberIn(text);
  if (card !== undefined) return withFields(filter, { ...noSearch, last4: card.slice(-4) });
  return withFields(filter, { ...noSearch, ...(text === '' ? {} : { [fieldOf(text, chosen)]: text }) });
}

const noSearch = Object.fromEntries(searchFields.map((name) => [name, '']));

/** The filter with these fields set, or without those that are empty, from the first page. */
export function withFields(filter: URLSearchParams, fields: Readonly<Record<string, string>>): URLSearchParams {
  const next = fromFirstPage(filter);
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The fields of a filter that stand beside its search, each once; an amount and its currency are one. */
export function fieldsBeside(filter: URLSearchParams): string[] {
  const searched = searchIn(filter).field;
  const isOwn = (name: string): boolean =>
    name !== 'before' && name !== searched && !(name === 'currency' && filter.has('amount'));
  return [...new Set(filter.keys())].filter(isOwn);
}

/** Whether the fields have one link that takes all of them away. */
export const hasManyFields = (filter: URLSearchParams): boolean => fieldsBeside(filter).length > 1;

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
  // What ends as a day begins, ends with the day before.
  if (end === 'ends') date.setMilliseconds(-1);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
