import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderSummary } from '../../shared/api/order.ts';
import { useApp } from '../app/app.ts';
import { isBare } from '../parts/use-row-keys.ts';
import { dayOf, momentOf, searchFields, searchIn, withField, withSearch } from './filter.ts';

const statuses = ['open', 'in_progress', 'paid'] as const satisfies readonly OrderSummary['status'][];

/** What narrows the list; all of it lives in the address. */
export function Filters({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const names = words.orders;
  const show = (next: URLSearchParams): void => go({ page: 'orders', filter: next }, 'replace');
  return (
    <search class="filters">
      <Search key={String(searchIn(filter).field)} filter={filter} />
      <select
        aria-label={names.status}
        value={filter.get('status') ?? ''}
        onChange={({ currentTarget }) => show(withField(filter, 'status', currentTarget.value))}
      >
        <option value="">{names.any_status}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {names.statuses[status]}
          </option>
        ))}
      </select>
      <label class="day">
        {names.from}
        <input
          type="date"
          value={dayOf(filter.get('created_from'), 'begins')}
          onChange={({ currentTarget }) =>
            show(withField(filter, 'created_from', momentOf(currentTarget.value, 'begins')))
          }
        />
      </label>
      <label class="day">
        {names.to}
        <input
          type="date"
          value={dayOf(filter.get('created_to'), 'ends')}
          onChange={({ currentTarget }) => show(withField(filter, 'created_to', momentOf(currentTarget.value, 'ends')))}
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={filter.has('needs_attention')}
          onChange={({ currentTarget }) =>
            show(withField(filter, 'needs_attention', currentTarget.checked ? 'true' : ''))
          }
        />
        {names.only_attention}
      </label>
    </search>
  );
}

function Search({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const names = words.orders;
  const before = searchIn(filter);
  const [field, setField] = useState(before.field);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isBare(event)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const search = (): void => {
    go({ page: 'orders', filter: withSearch(filter, field, box.current?.value ?? '') }, 'replace');
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <select
        aria-label={names.search_in}
        value={field}
        onChange={({ currentTarget }) => {
          const chosen = searchFields.find((name) => name === currentTarget.value);
          if (chosen) setField(chosen);
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
        defaultValue={before.text}
        placeholder={names.search}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.currentTarget.value = '';
          if (before.text !== '') search();
          event.currentTarget.blur();
        }}
        // The cross that some browsers show in it.
        onInput={({ currentTarget }) => {
          if (currentTarget.value === '' && before.text !== '') search();
        }}
      />
      <button type="submit">{names.search}</button>
    </form>
  );
}
