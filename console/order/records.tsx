import type { OrderWithTimeline } from '../../shared/api/order.ts';
import { useApp } from '../app/app.tsx';
import { Facts } from '../parts/table.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';

type Undecided = NonNullable<OrderWithTimeline['undecided']>;
type NamedRecord = Undecided['records'][number] & { transaction_id: string };

/** The gateway's records of an undecided order that name a payment and its amount. */
export function namedRecords({ undecided }: Pick<OrderWithTimeline, 'undecided'>): NamedRecord[] {
  return (undecided?.records ?? []).flatMap((record) => {
    const { transaction_id, amount, currency } = record;
    return transaction_id === undefined || amount === '' || currency === '' ? [] : [{ ...record, transaction_id }];
  });
}

/** The gateway's records of an undecided order: the actual amount, date and status of each payment. */
export function GatewayRecords({ undecided }: { undecided: Undecided }) {
  const { words, locale } = useApp();
  return (
    <section aria-label={words.order.gateway_records}>
      <h2>{words.order.gateway_records}</h2>
      {undecided.records.map(({ transaction_id, payment_status, amount, currency, date }) => (
        <Facts
          key={`${transaction_id} ${date}`}
          facts={[
            { name: words.orders.amount, class: 'amount', value: money(locale, currency, amount) },
            { name: words.order.gateway_status, class: 'code', value: payment_status },
            transaction_id !== undefined && {
              ...{ name: words.orders.transaction, class: 'code', value: <Foreign text={transaction_id} /> },
            },
            date !== undefined && { name: words.orders.time, value: <Time at={date} /> },
          ]}
        />
      ))}
    </section>
  );
}
