import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage, withFields } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { typedAmount } from '../parts/amount.ts';
import { orderWords } from '../parts/state.tsx';
import { Foreign, harmless, money } from '../parts/text.tsx';

/** The fields of a filter. An amount and its currency count as one. */
export function narrowingFields(filter: URLSearchParams): string[] {
  const isOwn = (name: string): boolean => name !== 'sort' && !(name === 'currency' && filter.has('amount'));
  return [...new Set(fromFirstPage(filter).keys())].filter(isOwn);
}

/** Whether the filter shows a link that clears all fields. */
export const hasManyFields = (filter: URLSearchParams): boolean => narrowingFields(filter).length > 1;

/** The start or end of a day in the person's time zone. */
export function momentOf(day: string, end: 'begins' | 'ends'): string {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return '';
  if (end === 'ends') date.setDate(date.getDate() + 1);
  return date.toISOString();
}

/** The day in the person's time zone of a moment of `momentOf`. */
export function dayOf(moment: string | null, end: 'begins' | 'ends'): string {
  if (moment === null) return '';
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  // A period that ends at the start of a day ends with the day before.
  if (end === 'ends') date.setMilliseconds(-1);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The fields of the filter, each with a button that removes it. */
export function Chips({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const wordsOf = useWords();
  const fields = narrowingFields(filter);
  if (fields.length === 0) return null;
  return (
    <ul class="chips">
      {fields.map((name) => {
        const text = wordsOf(name, filter);
        const without = withFields(filter, { [name]: '', ...(name === 'amount' ? { currency: '' } : {}) });
        return (
          <li key={name}>
            <button
              type="button"
              class="chip"
              aria-label={fill(words.filters.remove, { what: harmless(text) })}
              onClick={() => go({ page: 'orders', filter: without }, 'replace')}
            >
              <Foreign text={text} />
              <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
      {hasManyFields(filter) && (
        <li>
          <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.orders.clear}</Link>
        </li>
      )}
    </ul>
  );
}

/** The text of a filter's field. */
function useWords(): (name: string, filter: URLSearchParams) => string {
  const { words, locale } = useApp();
  const { order: order_no, transaction: transaction_id, method: payment_method, ...others } = words.orders;
  const names: Readonly<Record<string, unknown>> = {
    ...others,
    ...words.filters,
    ...{ order_no, transaction_id, payment_method },
  };
  const inWords: Readonly<Record<string, string>> = orderWords(words);
  return (name, filter) => {
    const value = filter.get(name) ?? '';
    switch (name) {
      case 'status':
      case 'session_status':
        return inWords[value] ?? value;
      case 'needs_attention':
        return words.needs_attention;
      case 'amount':
        return filter.has('currency')
          ? money(locale, filter.get('currency') ?? '', value)
          : `${words.orders.amount} ${typedAmount(value, locale)}`;
      case 'created_from':
        return `${words.orders.from} ${when(locale, value, 'begins')}`;
      case 'created_to':
        return `${words.orders.to} ${when(locale, value, 'ends')}`;
      default:
        return `${typeof names[name] === 'string' ? names[name] : name} ${value}`;
    }
  };
}

/** A moment as a day, or as a time if it is not the start or end of a day. */
function when(locale: string, moment: string, end: 'begins' | 'ends'): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const day = dayOf(moment, end);
  if (momentOf(day, end) !== date.toISOString()) return date.toLocaleString(locale);
  return new Date(`${day}T00:00:00`).toLocaleDateString(locale);
}
