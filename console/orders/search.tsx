import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderFilter } from '../../shared/api/order.ts';
import { cardNumberIn } from '../../shared/card-data/typed.ts';
import { useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';
import { isBare } from '../parts/table.tsx';

/** The fields that the one search box can look in. */
const searchFields = [
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

/** The box that `/` leads to, and where it looks. */
export function Search({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const names = words.orders;
  const before = searchIn(filter);
  const [chosen, setChosen] = useState(before.field);
  const [typed, setTyped] = useState(before.text);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setChosen(before.field);
    setTyped(before.text);
  }, [before.field, before.text]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isBare(event)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const search = (text: string): void => {
    const next = withSearch(filter, chosen, text);
    setTyped(searchIn(next).text);
    go({ page: 'orders', filter: next }, 'replace');
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <select
        aria-label={names.search_in}
        value={fieldOf(typed, chosen)}
        onChange={({ currentTarget }) => {
          const field = searchFields.find((name) => name === currentTarget.value);
          if (field) setChosen(field);
        }}
      >
        {searchFields.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
      <input
        ref={box}
        type="search"
        dir="auto"
        aria-label={names.search}
        aria-keyshortcuts="/"
        value={typed}
        placeholder={names.search}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setTyped('');
          if (before.text !== '') search('');
          event.currentTarget.blur();
        }}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          // The cross that some browsers show in it.
          if (currentTarget.value === '' && before.text !== '') search('');
        }}
      />
      <button type="submit">{names.search}</button>
    </form>
  );
}
