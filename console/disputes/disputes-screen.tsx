import type { ListedPayment } from '../../shared/api/order-payment.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage } from '../app/route.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Code, Foreign, Method, money, Time } from '../parts/text.tsx';

const reversed = (filter: URLSearchParams) => new URLSearchParams([...filter, ['status', 'reversed']]);

/** Payments that were charged back, or declined after their approval. Newest orders come first. */
export function DisputesScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const reading = useList(
    filter,
    (query) => api.payments(reversed(query)),
    ({ type }) => type.startsWith('payment.'),
  );
  const { payments = [] } = reading.answer ?? {};
  return (
    <ListScreen
      page="disputes"
      filter={filter}
      reading={reading}
      size={payments.length}
      canClear={false}
      aside={<CsvButton list="payments" filter={reversed(fromFirstPage(filter))} />}
      filters={
        fromFirstPage(filter).size > 0 && (
          <p class="filters">
            <Link to={{ page: 'disputes', filter: new URLSearchParams() }}>{words.orders.clear}</Link>
          </p>
        )
      }
    >
      <Table
        class="orders disputes"
        columns={useColumns()}
        entries={payments}
        keyOf={({ transaction_id }) => transaction_id}
      />
    </ListScreen>
  );
}

function useColumns(): Column<ListedPayment>[] {
  const { words, locale } = useApp();
  const names = words.disputes;
  return [
    column('when', names.since, ({ reversed_at, paid_at }) => <Time at={reversed_at ?? paid_at} isInRow />),
    column('what', words.orders.order, ({ order_no, transaction_id }) => (
      <>
        <Link to={{ page: 'order', orderNo: order_no }} class="row-link">
          <Foreign text={order_no} />
        </Link>
        <span class="second">
          <Code text={transaction_id} />
        </span>
      </>
    )),
    column('number', words.orders.amount, ({ currency, amount }) => money(locale, currency, amount)),
    column('how', words.orders.method, ({ method, card }) => <Method method={method} card={card} />),
    column('about', names.reason, ({ gateway, settled, note = settled }) => (
      <>
        {gateway?.decline_reason !== undefined && <Foreign text={gateway.decline_reason} />}{' '}
        {gateway && <Code text={gateway.payment_status} />}
        {note && (
          <span class="second">
            <Foreign text={note.note} />
          </span>
        )}
      </>
    )),
    column('state', words.orders.status, ({ settled }) =>
      settled ? <Badge tone="quiet">{names.decided}</Badge> : <Badge tone="open">{words.needs_attention}</Badge>,
    ),
  ];
}
