import type { SubscriptionAnswer } from '../../shared/api/subscription.ts';
import { periodOf, periodWords } from '../../shared/checkout/money/period.ts';
import { Link, useApp } from '../app/app.tsx';
import { counted, fill, type Words } from '../locales/words.ts';
import { compareAmounts } from '../parts/amount.ts';
import { Badge, type Tone } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, isolated, Method, money, Time } from '../parts/text.tsx';

type Props = { subscriptions: readonly SubscriptionAnswer[]; onEnd: (subscription: SubscriptionAnswer) => void };

const tones: Readonly<Record<SubscriptionAnswer['status'], Tone>> = {
  active: 'good',
  ending: 'busy',
  end_unknown: 'open',
  ended: 'quiet',
};

/** The contracts, one a row. */
export function SubscriptionTable({ subscriptions, onEnd }: Props) {
  const { words, locale, may } = useApp();
  const names = words.subscriptions;
  const columns: Column<SubscriptionAnswer>[] = [
    column('when', names.started, ({ started_at }) => <Time at={started_at} isInRow />),
    column('what', names.contract, ({ order_no, contract_name, recurring_id }) => (
      <>
        <Link to={{ page: 'order', orderNo: order_no }} class="row-link">
          <Foreign text={order_no} />
        </Link>
        <span class="second">
          {contract_name !== undefined && (
            <>
              <Foreign text={contract_name} />
              {' · '}
            </>
          )}
          <Foreign text={recurring_id} />
        </span>
      </>
    )),
    column('who', names.shopper, ({ shopper_email, card }) => (
      <>
        {shopper_email !== undefined && <Foreign text={shopper_email} />}
        <span class={shopper_email === undefined ? undefined : 'second'}>
          <Method method={undefined} card={card} />
        </span>
      </>
    )),
    column('terms', names.terms, (subscription) => {
      const { first_charge, terms, currency } = subscription;
      const { amount = '0' } = first_charge;
      const isDearer = terms?.contract_amount !== undefined && compareAmounts(terms.contract_amount, amount) !== 0;
      return (
        <>
          {termsText(words, locale, subscription) ?? words.nothing}
          {isDearer && <span class="second">{fill(names.first, { amount: money(locale, currency, amount) })}</span>}
          {terms?.contract_end !== undefined && (
            <span class="second">{fill(names.until, { date: dayText(locale, terms.contract_end) })}</span>
          )}
        </>
      );
    }),
    column('charges', names.charges, (subscription) => <Charges subscription={subscription} />),
    column('next', names.next, (subscription) => <Next subscription={subscription} />),
    column('state', words.orders.status, ({ status, end }) => (
      <>
        <Badge tone={tones[status]}>{names.states[status]}</Badge>
        {status === 'active' && end?.outcome === 'failed' && <span class="second">{names.declined_before}</span>}
      </>
    )),
  ];
  const act = column<SubscriptionAnswer>(
    'act',
    { hidden: names.end },
    (subscription) =>
      subscription.status === 'active' && (
        <button type="button" class="plain" onClick={() => onEnd(subscription)}>
          {names.end}
          <span class="hidden">
            {' '}
            <Foreign text={subscription.order_no} />
          </span>
        </button>
      ),
  );
  return (
    <Table
      class="orders contracts"
      columns={may('subscription') ? [...columns, act] : columns}
      entries={subscriptions}
      keyOf={({ order_no, recurring_id }) => `${order_no} ${recurring_id}`}
    />
  );
}

/** The known number of charges, and the gateway's messages about the contract. */
function Charges({ subscription }: { subscription: SubscriptionAnswer }) {
  const { words, locale } = useApp();
  const { later_charges, last_charge, failures, notifications } = subscription;
  return (
    <>
      {new Intl.NumberFormat(locale).format(1 + later_charges)}
      {last_charge?.at !== undefined && (
        <span class="second">
          {fill(words.subscriptions.last, { date: dayText(locale, last_charge.at.slice(0, 10)) })}
        </span>
      )}
      {failures > 0 && <span class="second">{counted(locale, words.subscriptions.failures, failures)}</span>}
      {notifications > 0 && <span class="second">{counted(locale, words.payouts.times, notifications)}</span>}
    </>
  );
}

function Next({ subscription: { next_charge, status } }: { subscription: SubscriptionAnswer }) {
  const { words, locale } = useApp();
  const names = words.subscriptions;
  if (next_charge === undefined) {
    return (
      <span class="quiet-text" title={status === 'active' ? names.not_told : undefined}>
        {words.nothing}
      </span>
    );
  }
  const { date, by, amount, currency } = next_charge;
  return (
    <>
      <time dateTime={date}>{dayText(locale, date)}</time>
      <span class="second">
        {money(locale, currency, amount)} · {by === 'terms' ? names.expected : names.stated}
      </span>
    </>
  );
}

/** The amount and the period of a contract, such as `R$49.90 per month`; undefined if neither is known. */
export function termsText(
  { subscriptions: names }: Words,
  locale: string,
  { terms, currency, first_charge, recurring_deduction_period: stated }: SubscriptionAnswer,
): string | undefined {
  const amount = terms?.contract_amount ?? first_charge.amount;
  const interval = terms?.interval ?? stated;
  const shown = amount === undefined ? undefined : money(locale, currency, amount);
  if (!interval?.trim()) return shown;
  const period = periodOf(interval, terms?.interval_count);
  const rhythm =
    'words' in period
      ? isolated(period.words)
      : period.count === 1
        ? names.per[period.unit]
        : fill(names.every, { period: periodWords(locale, period) });
  return [shown, rhythm].filter((part) => part !== undefined).join(' ');
}

/** A day such as `2027-05-31`, in the person's locale. */
function dayText(locale: string, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return isolated(day);
  const isThisYear = date.getUTCFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date);
}

/** The name and the id of a contract. */
export function contractText({ contract_name, recurring_id }: SubscriptionAnswer): string {
  return contract_name ? `${isolated(contract_name)} (${isolated(recurring_id)})` : isolated(recurring_id);
}
