import { useId, useRef, useState } from 'preact/hooks';
import type { OrderSummary } from '../../shared/api/order.ts';
import { useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';
import { readAmount, typedAmount } from '../parts/amount.ts';
import { orderWords } from '../parts/state.tsx';
import { Chips, dayOf, fieldsBeside, momentOf } from './chips.tsx';
import { Search } from './search.tsx';

const days = [
  { name: 'from', field: 'created_from', end: 'begins' },
  { name: 'to', field: 'created_to', end: 'ends' },
] as const;

type Props = {
  filter: URLSearchParams;
  /** What the list shows now: its currencies and methods are offered. */
  orders: readonly OrderSummary[];
};

/** What narrows the list; all of it is kept in the address. On a phone the fields are folded away. */
export function Filters({ filter, orders }: Props) {
  const { words } = useApp();
  const [isOpen, setOpen] = useState(false);
  const fields = useId();
  const count = fieldsBeside(filter).length;
  return (
    <search class="filters">
      <Search filter={filter} />
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
      <Amount filter={filter} usual={orders[0]?.currency ?? ''} set={set} />
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
    </>
  );
}

/** What of a filter the one choice of a status shows. */
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

/** An amount, which means nothing without its currency: where none is typed it is the one that the list shows. */
function Amount(props: { filter: URLSearchParams; usual: string; set: (fields: Record<string, string>) => void }) {
  const { words, locale } = useApp();
  const { filter, usual, set } = props;
  const amount = filter.get('amount') ?? '';
  const currency = filter.get('currency') ?? '';
  const [sum, unit] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const apply = (): void => {
    if (!sum.current || !unit.current) return;
    const typed = sum.current.value.trim();
    const read = typed === '' ? '' : readAmount(typed, locale);
    const code = unit.current.value.trim().toUpperCase() || (read ? usual : '');
    const isCode = code === '' ? !read : /^[A-Z]{3}$/.test(code);
    sum.current.ariaInvalid = String(read === undefined);
    unit.current.ariaInvalid = String(!isCode);
    if (read === undefined) return;
    if (isCode) set({ amount: read, currency: code });
    else unit.current.focus();
  };
  return (
    <span class="sum">
      <label class="choice">
        {words.orders.amount}
        <input
          key={amount}
          ref={sum}
          class="short number"
          inputMode="decimal"
          defaultValue={typedAmount(amount, locale)}
          onChange={apply}
        />
      </label>
      <input
        key={currency}
        ref={unit}
        class="digits"
        aria-label={words.filters.currency}
        autocapitalize="characters"
        maxLength={3}
        placeholder={usual}
        defaultValue={currency}
        onChange={apply}
      />
    </span>
  );
}
