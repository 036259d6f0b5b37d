import { useId, useRef, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { readMoney, typedAmount } from '../parts/amount.ts';
import { Fault } from '../parts/state.tsx';

/** Filters by amount, in one currency or in any. An amount pasted with its currency sets both fields. */
export function AmountFilter(props: { filter: URLSearchParams; set: (fields: Record<string, string>) => void }) {
  const { words, locale } = useApp();
  const { filter, set } = props;
  const amount = filter.get('amount') ?? '';
  const currency = filter.get('currency') ?? '';
  const [sum, unit] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const [wrong, setWrong] = useState<'amount' | 'currency'>();
  const fault = useId();
  const apply = (): void => {
    const typed = sum.current?.value.trim() ?? '';
    const code = unit.current?.value.trim().toUpperCase() ?? '';
    const read = typed === '' ? { amount: '' } : readMoney(typed, locale);
    const isCode = /^([A-Z]{3})?$/.test(code);
    setWrong('wrong' in read ? read.wrong : isCode ? undefined : 'currency');
    if ('wrong' in read || !isCode) return;
    set({ amount: read.amount, currency: ('currency' in read && read.currency) || code });
  };
  const describedBy = wrong && { 'aria-describedby': fault };
  return (
    <>
      <span class="sum">
        <label class="choice">
          {words.orders.amount}
          <input
            key={amount}
            ref={sum}
            class="short number"
            inputMode="decimal"
            defaultValue={typedAmount(amount, locale)}
            aria-invalid={wrong === 'amount'}
            {...describedBy}
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
          placeholder={words.filters.any_currency}
          defaultValue={currency}
          aria-invalid={wrong === 'currency'}
          {...describedBy}
          onChange={apply}
        />
      </span>
      <Fault
        id={fault}
        text={
          wrong === 'amount'
            ? fill(words.dialog.bad_amount, { example: typedAmount('20.00', locale) })
            : wrong && words.filters.bad_currency
        }
      />
    </>
  );
}
