import { useRef, useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';

const fields = ['order_no', 'recurring_id', 'email'] as const;
type SearchField = (typeof fields)[number];

/** Looks for contracts by their order, their id or their shopper; what is searched for lives in the address. */
export function SubscriptionSearch({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const names = words.subscriptions;
  const before = fields.find((name) => filter.has(name)) ?? 'order_no';
  const [field, setField] = useState<SearchField>(before);
  const box = useRef<HTMLInputElement>(null);
  const search = (): void => {
    const text = box.current?.value.trim() ?? '';
    const found = text.includes('@') ? 'email' : field;
    go({ page: 'subscriptions', filter: new URLSearchParams(text === '' ? {} : { [found]: text }) }, 'replace');
  };
  return (
    <search class="filters">
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <select
          aria-label={words.orders.search_in}
          value={field}
          onChange={({ currentTarget }) => setField(fields.find((name) => name === currentTarget.value) ?? field)}
        >
          {fields.map((name) => (
            <option key={name} value={name}>
              {names[name]}
            </option>
          ))}
        </select>
        <input
          ref={box}
          type="search"
          dir="auto"
          aria-label={words.orders.search}
          placeholder={words.orders.search}
          defaultValue={filter.get(before) ?? ''}
          // The cross that some browsers show in it.
          onInput={({ currentTarget }) => {
            if (currentTarget.value === '' && filter.size > 0) search();
          }}
        />
        <button type="submit">{words.orders.search}</button>
      </form>
    </search>
  );
}
