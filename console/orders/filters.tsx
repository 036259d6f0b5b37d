import { useId, useState } from 'preact/hooks';
import type { OrderFilter, OrderSummary } from '../../shared/api/order.ts';
import { useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';
import { orderWords } from '../parts/state.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { Chips, dayOf, momentOf, narrowingFields } from './chips.tsx';

const days = [
  { name: 'from', field: 'created_from', end: 'begins' },
  { name: 'to', field: 'created_to', end: 'ends' },
] as const;

const sorts = ['newest', 'oldest'] as const satisfies readonly OrderFilter['sort'][];

type Props = {
  filter: URLSearchParams;
  /** The current page of the list. The filter offers its methods. */
  orders: readonly OrderSummary[];
};

/** The filter of the list. The address contains all of it. On a phone the fields are collapsed. */
export function Filters({ filter, orders }: Props) {
  const { words } = useApp();
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const count = narrowingFields(filter).length;
  return (
    <search class="filters">
      <button
        type="button"
        class="fold"
        aria-expanded={isOpen}
        aria-controls={fields}
        onClick={() => setOpen((before) => !before)}
      >
        {words.filters.title}
        {count > 0 && ` (${count})`}
      </button>
      <div id={fields} class={isOpen ? 'choices' : 'choices folded'}>
        <Fields filter={filter} orders={orders} />
      </div>
      <Chips filter={filter} />
    </search>
  );
}

function Fields({ filter, orders }: Props) {
  const { words, go } = useApp();
  const names = words.orders;
  const set = (fields: Record<string, string>): void =>
    go({ page: 'orders', filter: withFields(filter, fields) }, 'replace');
  const methods = useId();
  const digits = filter.get('last4') ?? '';
  const method = filter.get('payment_method') ?? '';
  return (
    <>
      <label class="choice">
        {names.status}
        <select value={stateIn(filter)} onChange={({ currentTarget }) => set(withState(currentTarget.value))}>
          <option value="">{names.any_status}</option>
          <option value="needs_attention">{words.needs_attention}</option>
          {Object.entries(orderWords(words)).map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {days.map(({ name, field, end }) => (
        <label key={field} class="choice">
          {names[name]}
          <input
            type="date"
            value={dayOf(filter.get(field), end)}
            onChange={({ currentTarget }) => set({ [field]: momentOf(currentTarget.value, end) })}
          />
        </label>
      ))}
      <AmountFilter filter={filter} set={set} />
      <label class="choice">
        {names.method}
        <input
          key={method}
          class="short"
          dir="auto"
          list={methods}
          maxLength={255}
          defaultValue={method}
          onChange={({ currentTarget }) => set({ payment_method: currentTarget.value.trim() })}
        />
        <datalist id={methods}>
          {[...new Set(['card', ...orders.flatMap((order) => order.payment_method ?? [])])].map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label class="choice">
        {names.last4}
        <input
          key={digits}
          class="digits"
          inputMode="numeric"
          maxLength={4}
          placeholder="1234"
          defaultValue={digits}
          onChange={({ currentTarget }) => {
            const isRight = /^(\d{4})?$/.test(currentTarget.value);
            currentTarget.ariaInvalid = String(!isRight);
            if (isRight) set({ last4: currentTarget.value });
          }}
        />
      </label>
      <label class="choice">
        {names.sort}
        <select
          value={filter.get('sort') ?? 'newest'}
          onChange={({ currentTarget }) => set({ sort: currentTarget.value === 'newest' ? '' : currentTarget.value })}
        >
          {sorts.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** The value of the status field for a filter. */
function stateIn(filter: URLSearchParams): string {
  return filter.has('needs_attention')
    ? 'needs_attention'
    : (filter.get('session_status') ?? filter.get('status') ?? '');
}

function withState(chosen: string): Record<string, string> {
  const none = { status: '', session_status: '', needs_attention: '' };
  if (chosen === 'needs_attention') return { ...none, needs_attention: 'true' };
  const isOfSession = chosen === 'processing' || chosen === 'redirected';
  return { ...none, [isOfSession ? 'session_status' : 'status']: chosen };
}
