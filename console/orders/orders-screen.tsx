import type { OrderSummary } from '../../shared/api/order.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage, withPage } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { isNothing, subtracted } from '../parts/amount.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge, orderState, StateBadge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, Method, money, Time } from '../parts/text.tsx';
import { hasManyFields } from './chips.tsx';
import { Filters } from './filters.tsx';
import { PickBox, SelectButton, SelectionBar, useSelection } from './selection.tsx';
import { Views } from './views.tsx';

/** The orders of the account that match the filter in the address. */
export function OrdersScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, locale } = useApp();
  const { orders: names } = words;
  const reading = useList(filter, api.orders);
  const { orders = [], next } = reading.answer ?? {};
  const shown = orders.map(({ order_no }) => order_no);
  const selection = useSelection(shown);
  const columns: Column<OrderSummary>[] = [
    ...(selection.chosen
      ? [
          column('pick', { hidden: words.batch.selection }, ({ order_no }: OrderSummary) => (
            <PickBox {...{ orderNo: order_no, selection }} />
          )),
        ]
      : []),
    column('when', names.time, ({ created_at }) => <Time at={created_at} isInRow />),
    column('what', names.order, ({ order_no }) => (
      <Link to={{ page: 'order', orderNo: order_no }} class="row-link">
        <Foreign text={order_no} />
      </Link>
    )),
    column('number', names.amount, ({ currency, amount }) => money(locale, currency, amount)),
    column('number returned', words.order.refunded, ({ currency, refunded, refund_undecided: open }) =>
      isNothing(refunded) ? (
        <span class="quiet-text">{words.nothing}</span>
      ) : (
        <>
          <span class="named">{words.order.refunded}</span> {money(locale, currency, subtracted(refunded, open))}
          {!isNothing(open) && (
            <span class="second">{fill(words.order.not_known, { amount: money(locale, currency, open) })}</span>
          )}
        </>
      ),
    ),
    column('how', names.method, ({ payment_method, card }) => <Method method={payment_method} card={card} />),
    column('state', names.status, (order) => (
      <>
        <StateBadge state={orderState(order)} />
        {order.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </>
    )),
  ];
  return (
    <>
      <ListScreen
        page="orders"
        filter={filter}
        reading={reading}
        size={orders.length}
        aside={
          <div class="aside">
            <Views filter={filter} />
            <SelectButton selection={selection} />
            <CsvButton list="orders" filter={fromFirstPage(filter)} />
          </div>
        }
        filters={<Filters filter={filter} orders={orders} />}
        canClear={!hasManyFields(filter)}
        hint={selection.isOffered ? words.batch.keys : names.keys}
        empty={
          next !== undefined && (
            <>
              <p>{names.none_so_far}</p>
              <Link to={{ page: 'orders', filter: withPage(filter, 'before', next) }}>{names.search_on}</Link>
            </>
          )
        }
      >
        <Table class="orders" columns={columns} entries={orders} keyOf={({ order_no }) => order_no} />
      </ListScreen>
      <SelectionBar {...{ selection, shown }} onMoved={() => void reading.again()} />
    </>
  );
}
