import type { ComponentChildren } from 'preact';
import type { SearchAnswer } from '../../shared/api/search.ts';
import type { Route } from '../app/route.ts';
import type { Words } from '../locales/words.ts';
import { Badge, orderState, PaymentBadge, StateBadge } from '../parts/state.tsx';
import { Method } from '../parts/text.tsx';

/** The kinds of hits, in display order. */
export const kinds = ['orders', 'payments', 'sessions', 'operations', 'subscriptions'] as const;
export type HitKind = (typeof kinds)[number];

/** A hit of any kind, as it is shown. */
export type HitRow = {
  id: string;
  /** The page that it links to. */
  to: Route;
  name: string;
  orderNo: string | undefined;
  about: ComponentChildren;
  amount: string | undefined;
  currency: string | undefined;
  state: ComponentChildren;
  at: string;
  matched: readonly string[];
};

/** The hits of a kind. A payment or a session has no page of its own and links to its order. */
export function rowsOf(kind: HitKind, answer: SearchAnswer, words: Words): HitRow[] {
  switch (kind) {
    case 'orders':
      return answer.orders.hits.map((order) => ({
        ...common(order, order.order_no, orderPage(order.order_no), order.created_at),
        orderNo: undefined,
        about: <Method method={order.payment_method} card={order.card} />,
        state: <StateBadge state={orderState(order)} />,
      }));
    case 'payments':
      return answer.payments.hits.map((payment) => ({
        ...common(payment, payment.transaction_id, orderPage(payment.order_no), payment.paid_at),
        about: undefined,
        state: <PaymentBadge status={payment.status} />,
      }));
    case 'sessions':
      return answer.sessions.hits.map((session) => ({
        ...common(session, session.id, orderPage(session.order_no), session.created_at),
        about: undefined,
        state: <StateBadge state={session.status === 'approved' ? 'paid' : session.status} />,
      }));
    case 'operations':
      return answer.operations.hits.map((operation) => ({
        ...common(operation, operation.id, { page: 'operation', id: operation.id }, operation.created_at),
        about: words.operations[operation.operation],
        state: (
          <Badge tone={operation.status === 'unknown' ? 'open' : 'quiet'}>
            {words.operation_states[operation.status]}
          </Badge>
        ),
      }));
    case 'subscriptions':
      return answer.subscriptions.hits.map((contract) => ({
        ...common(contract, contract.recurring_id, contractPage(contract.recurring_id), contract.started_at),
        about: contract.contract_name ?? contract.shopper_email,
        state: (
          <Badge tone={contract.status === 'active' ? 'good' : 'quiet'}>
            {words.subscriptions.states[contract.status]}
          </Badge>
        ),
      }));
  }
}

type Common = {
  order_no?: string | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
  matched: readonly string[];
};

function common({ order_no, amount, currency, matched }: Common, id: string, to: Route, at: string) {
  return { id, to, name: id, orderNo: order_no, amount, currency, at, matched };
}

function orderPage(orderNo: string): Route {
  return { page: 'order', orderNo };
}

function contractPage(recurringId: string): Route {
  return { page: 'subscriptions', filter: new URLSearchParams({ recurring_id: recurringId }) };
}
