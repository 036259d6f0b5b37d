import type { OrderSummary } from '../../shared/api/order.ts';
import { type OrderState, orderState } from '../api/order-state.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import type { Words } from '../locales/en.ts';
import { Badge, Failure, StateBadge, Waiting } from '../parts/state.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

/** What waits for a person, each case with what to do. */
export function HomeScreen() {
  const { api, words, may } = useApp();
  const orders = useAnswer(
    `${api.livePath} waiting`,
    () => api.orders(new URLSearchParams({ needs_attention: 'true', limit: '50' })),
    () => true,
  );
  const mayEvents = may('events');
  const webhooks = useAnswer(
    `${api.livePath} given up`,
    async () => (mayEvents ? api.events(new URLSearchParams({ status: 'failed', limit: '20' })) : { events: [] }),
    () => true,
  );
  const isEmpty = orders.answer?.orders.length === 0 && webhooks.answer?.events.length === 0;
  return (
    <>
      <div class="heading">
        <h1>{words.pages.needs_you}</h1>
      </div>
      <Failure reading={orders} />
      <Failure reading={webhooks} />
      {isEmpty && <p class="empty">{words.home.all_well}</p>}
      {orders.answer === undefined && orders.error === undefined && <Waiting reading={orders} />}
      {orders.answer !== undefined && orders.answer.orders.length > 0 && (
        <section class="cases">
          <h2>{words.home.orders}</h2>
          <ul class="items">
            {orders.answer.orders.map((order) => (
              <Case key={order.order_no} order={order} />
            ))}
          </ul>
        </section>
      )}
      {webhooks.answer !== undefined && webhooks.answer.events.length > 0 && (
        <section class="cases">
          <h2>{words.home.webhooks}</h2>
          <p class="hint">{words.home.webhook}</p>
          <ul class="items">
            {webhooks.answer.events.map(({ id, type, created_at }) => (
              <li key={id}>
                <Link to={{ page: 'webhooks', filter: new URLSearchParams({ status: 'failed' }) }}>
                  <Foreign text={type} />
                </Link>
                <span class="quiet-text">
                  <Time at={created_at} />
                </span>
                <Badge tone="bad">{words.timeline.deliveries.failed}</Badge>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Case({ order }: { order: OrderSummary }) {
  const { words, locale } = useApp();
  const state = orderState(order);
  return (
    <li>
      <div class="told">
        <p>
          <Link to={{ page: 'order', orderNo: order.order_no }}>
            <Foreign text={order.order_no} />
          </Link>{' '}
          <strong>{money(locale, order.currency, order.amount)}</strong>{' '}
          <span class="quiet-text">
            <Time at={order.created_at} />
          </span>
        </p>
        <p>{whatToDo(words, state)}</p>
      </div>
      <StateBadge state={state} />
    </li>
  );
}

function whatToDo({ home }: Words, state: OrderState): string {
  switch (state) {
    case 'unknown':
      return home.unknown;
    case 'pending':
      return home.pending;
    case 'paid':
      return home.paid;
    case 'open':
    case 'processing':
    case 'redirected':
    case 'failed':
    case 'expired':
      return home.other;
  }
}
