import type { OrderSummary } from '../../shared/api/order.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage, withPage } from '../app/route.ts';
import { isNothing } from '../parts/amount.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge, orderState, StateBadge } from '../parts/state.tsx';
import { Cell, Row, Table } from '../parts/table.tsx';
import { Foreign, Method, money, Time } from '../parts/text.tsx';
import { hasManyFields } from './chips.tsx';
import { Filters } from './filters.tsx';

/** The orders of the account, the newest first, by the filter in the address. */
export function OrdersScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const { orders: names } = words;
  const reading = useList(filter, api.orders);
  const { orders = [], next } = reading.answer ?? {};
  return (
    <ListScreen
      page="orders"
      filter={filter}
      reading={reading}
      size={orders.length}
      aside={<CsvButton list="orders" filter={fromFirstPage(filter)} />}
      filters={<Filters filter={filter} orders={orders} />}
      canClear={!hasManyFields(filter)}
      hint={names.keys}
      empty={
        next !== undefined && (
          <>
            <p>{names.none_so_far}</p>
            <Link to={{ page: 'orders', filter: withPage(filter, next) }}>{names.search_on}</Link>
          </>
        )
      }
    >
      <Table
        class="orders"
        heads={[
          ...[names.time, names.order, { number: names.amount }, { number: words.order.refunded }],
          ...[names.method, names.status],
        ]}
      >
        {orders.map((order) => (
          <Order key={order.order_no} order={order} />
        ))}
      </Table>
    </ListScreen>
  );
}

function Order({ order }: { order: OrderSummary }) {
  const { words, locale } = useApp();
  return (
    <Row>
      <Cell is="when">
        <Time at={order.created_at} isInRow />
      </Cell>
      <Cell is="what">
        <Link to={{ page: 'order', orderNo: order.order_no }} class="row-link">
          <Foreign text={order.order_no} />
        </Link>
      </Cell>
      <Cell is="number">{money(locale, order.currency, order.amount)}</Cell>
      <Cell is="number returned">
        {isNothing(order.refunded) ? (
          <span class="quiet-text">{words.nothing}</span>
        ) : (
          <>
            <span class="named">{words.order.refunded}</span> {money(locale, order.currency, order.refunded)}
          </>
        )}
      </Cell>
      <Cell is="how">
        <Method method={order.payment_method} card={order.card} />
      </Cell>
      <Cell is="state">
        <StateBadge state={orderState(order)} />
        {order.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </Cell>
    </Row>
  );
}
