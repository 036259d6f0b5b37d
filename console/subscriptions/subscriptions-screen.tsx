import { useRef, useState } from 'preact/hooks';
import type { SubscriptionAnswer } from '../../shared/api/subscription.ts';
import { useApp } from '../app/app.tsx';
import { fromFirstPage } from '../app/route.ts';
import { useKeptIntents } from '../intent/use-intent.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { EndDialog, endSubject } from './end-dialog.tsx';
import { SubscriptionTable } from './subscription-table.tsx';

/** The contracts that payments began, newest first, each with its next expected charge. */
export function SubscriptionsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, may } = useApp();
  const reading = useList(filter, api.subscriptions);
  const { subscriptions = [] } = reading.answer ?? {};
  const kept = useKeptIntents();
  const [ending, setEnding] = useState(() => {
    const open = may('subscription') ? kept.all().find(({ subject: [what] }) => what === endSubject('')[0]) : undefined;
    return open?.subject[1];
  });
  const first = fromFirstPage(filter);
  return (
    <>
      <ListScreen
        page="subscriptions"
        filter={filter}
        reading={reading}
        size={subscriptions.length}
        aside={<CsvButton list="subscriptions" filter={first} />}
        filters={<SubscriptionSearch key={String(first)} filter={first} />}
      >
        <SubscriptionTable
          subscriptions={subscriptions}
          onEnd={({ recurring_id }: SubscriptionAnswer) => setEnding(recurring_id)}
        />
      </ListScreen>
      {ending !== undefined && (
        <EndDialog
          recurringId={ending}
          onEnded={() => void reading.again()}
          onClose={() => {
            setEnding(undefined);
            void reading.again();
          }}
        />
      )}
    </>
  );
}

const fields = ['order_no', 'recurring_id', 'email'] as const;
type SearchField = (typeof fields)[number];

/** Searches contracts by order, id or shopper. The address contains the search. */
function SubscriptionSearch({ filter }: { filter: URLSearchParams }) {
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
          // Some browsers show a cross that clears the field.
          onInput={({ currentTarget }) => {
            if (currentTarget.value === '' && filter.size > 0) search();
          }}
        />
        <button type="submit">{words.orders.search}</button>
      </form>
    </search>
  );
}
