import type { OrderSummary } from '../../shared/api/order.ts';
import { orderState } from '../api/order-state.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { isNothing } from '../parts/amount.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Method } from '../parts/method.tsx';
import { Badge, Failure, StateBadge, Waiting } from '../parts/state.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { fromFirstPage, hasManyFields } from './filter.ts';
import { Filters } from './filters.tsx';

const ROWS = '50';

/** The orders of the account, the newest first, by the filter in the address. */
export function OrdersScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const query = new URLSearchParams(filter);
  query.set('limit', ROWS);
  const reading = useAnswer(
    `${api.livePath} ${query}`,
    () => api.orders(query),
    // The pages behind the first do not change while somebody reads them.
    () => !filter.has('before'),
  );
  const table = useRowKeys();
  const { answer } = reading;
  const csv = fromFirstPage(filter);
  return (
    <>
      <div class="heading">
        <h1>{words.pages.orders}</h1>
        <CsvButton list="orders" filter={csv} />
      </div>
      <Filters filter={filter} orders={answer?.orders ?? []} />
      {answer !== undefined && <Failure reading={reading} />}
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : answer.orders.length === 0 ? (
        <Empty filter={filter} next={answer.next} />
      ) : (
        <>
          <Table orders={answer.orders} rows={table} />
          <div class="pager">
            {filter.has('before') && <Link to={{ page: 'orders', filter: csv }}>{words.first_page}</Link>}
            {answer.next !== undefined && (
              <Link to={{ page: 'orders', filter: withPage(filter, answer.next) }}>{words.next_page}</Link>
            )}
            <p class="keys">{words.orders.keys}</p>
          </div>
        </>
      )}
    </>
  );
}

function withPage(filter: URLSearchParams, next: string): URLSearchParams {
  const page = new URLSearchParams(filter);
  page.set('before', next);
  return page;
}

function Empty({ filter, next }: { filter: URLSearchParams; next: string | undefined }) {
  const { words } = useApp();
  if (next !== undefined) {
    return (
      <div class="empty">
        <p>{words.orders.none_so_far}</p>
        <Link to={{ page: 'orders', filter: withPage(filter, next) }}>{words.orders.search_on}</Link>
      </div>
    );
  }
  return (
    <div class="empty">
      <p>{filter.size > 0 ? words.orders.none_found : words.orders.none}</p>
      {filter.size > 0 && !hasManyFields(filter) && (
        <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.orders.clear}</Link>
      )}
    </div>
  );
}

function Table({ orders, rows }: { orders: readonly OrderSummary[]; rows: ReturnType<typeof useRowKeys> }) {
  const { words } = useApp();
  const { orders: names } = words;
  return (
    // Browsers forget the roles of a table where a style sheet makes a phone's list of it: they are said again.
    <table class="list orders" role="table" ref={rows}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{names.time}</th>
          <th scope="col">{names.order}</th>
          <th scope="col" class="number">
            {names.amount}
          </th>
          <th scope="col" class="number">
            {words.order.refunded}
          </th>
          <th scope="col">{names.method}</th>
          <th scope="col">{names.status}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {orders.map((order) => (
          <Row key={order.order_no} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ order }: { order: OrderSummary }) {
  const { words, locale } = useApp();
  return (
    <tr role="row">
      <td role="cell" class="when">
        <Time at={order.created_at} isInRow />
      </td>
      <td role="cell" class="what">
        <Link to={{ page: 'order', orderNo: order.order_no }} class="row-link">
          <Foreign text={order.order_no} />
        </Link>
      </td>
      <td role="cell" class="number">
        {money(locale, order.currency, order.amount)}
      </td>
      <td role="cell" class="number returned">
        {isNothing(order.refunded) ? (
          <span class="quiet-text">{words.nothing}</span>
        ) : (
          <>
            <span class="named">{words.order.refunded}</span> {money(locale, order.currency, order.refunded)}
          </>
        )}
      </td>
      <td role="cell" class="how">
        <Method method={order.payment_method} card={order.card} />
      </td>
      <td role="cell" class="state">
        <StateBadge state={orderState(order)} />
        {order.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </td>
    </tr>
  );
}
