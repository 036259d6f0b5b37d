import type { AttentionKind } from '../../shared/api/attention.ts';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { OrderPaymentAnswer } from '../../shared/api/order-payment.ts';
import type { MoneyAction } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { isPossible } from '../intent/money-action.ts';
import { fill } from '../locales/words.ts';
import { isNothing } from '../parts/amount.ts';
import { Badge, PaymentBadge } from '../parts/state.tsx';
import { Facts } from '../parts/table.tsx';
import { Foreign, isolated, Method, money, Time } from '../parts/text.tsx';
import { RecordFacts } from './facts.tsx';

export type PaymentDialog = MoneyAction | 'settle_payment';

export const moneyActions: readonly MoneyAction[] = ['refund', 'capture', 'cancel', 'review'];

type Props = { order: OrderWithTimeline; onOpen: (open: { dialog: PaymentDialog; id: string }) => void };

/** The payments of an order with several: the proof of each, whether it counts for the order, and its actions. */
export function PaymentCards({ order, onOpen }: Props) {
  const { words } = useApp();
  return (
    <section class="payments" aria-label={words.order.payments}>
      <h2>{words.order.payments}</h2>
      {order.payments.map((payment) => (
        <PaymentCard key={payment.transaction_id} {...{ order, payment, onOpen }} />
      ))}
    </section>
  );
}

function PaymentCard({ order, payment, onOpen }: Props & { payment: OrderPaymentAnswer }) {
  const { words, locale } = useApp();
  const { order: names, orders } = words;
  const { transaction_id: id, currency, status, proof, session_id, refund_undecided } = payment;
  const counts = order.paid_twice?.counts === id;
  const isSurplus = order.paid_twice?.surplus.includes(id) ?? false;
  const amount = (value: string): string => money(locale, currency, value);
  return (
    <article class="payment" aria-label={`${orders.transaction} ${isolated(id)}`}>
      <div class="payment-head">
        <h3>{amount(payment.amount)}</h3>
        <PaymentBadge status={status} />
        {counts && <Badge tone="good">{names.counts}</Badge>}
        {isSurplus && <Badge tone="bad">{names.surplus}</Badge>}
        {payment.origin === 'renewal' && <Badge tone="quiet">{names.renewal}</Badge>}
      </div>
      {counts && <p>{names.counts_why}</p>}
      {isSurplus && <p>{names.surplus_why}</p>}
      <Facts
        facts={[
          { name: orders.time, value: <Time at={payment.paid_at} /> },
          { name: orders.method, value: <Method method={payment.method} card={payment.card} /> },
          { name: names.proof, value: names.proofs[proof] },
          { name: orders.transaction, class: 'code', value: <Foreign text={id} /> },
          session_id !== undefined && { name: names.session, class: 'code', value: <Foreign text={session_id} /> },
          !isNothing(payment.captured) && { name: names.captured, value: amount(payment.captured) },
          (!isNothing(payment.refunded) || !isNothing(refund_undecided)) && {
            ...{ name: names.refunded, value: amount(payment.refunded) },
            note: !isNothing(refund_undecided) && fill(names.not_known, { amount: amount(refund_undecided) }),
          },
          { name: names.refundable, value: amount(payment.refundable) },
        ]}
      />
      <RecordFacts payment={payment} />
      <div class="actions">
        <PaymentActions {...{ order, payment, onOpen }} main={isSurplus ? ['refund', 'cancel'] : []} />
      </div>
    </article>
  );
}

/** The possible actions on a payment. The first possible one of `main` is the primary button. */
export function PaymentActions(props: Props & { payment: OrderPaymentAnswer; main: readonly MoneyAction[] }) {
  const { order, payment, main, onOpen } = props;
  const { words, may } = useApp();
  const id = payment.transaction_id;
  const possible = moneyActions.filter((action) => may(action) && isPossible(action, order, payment));
  const first = possible.find((action) => main.includes(action));
  return (
    <>
      {possible.map((action) => (
        <button
          key={action}
          type="button"
          class={action === first ? 'primary' : undefined}
          onClick={() => onOpen({ dialog: action, id })}
        >
          {words.order[action]}
        </button>
      ))}
      {order.needs_attention && alarmOf(payment) && may('settle') && (
        <button type="button" onClick={() => onOpen({ dialog: 'settle_payment', id })}>
          {words.order.settle}
        </button>
      )}
    </>
  );
}

/** Why a person must decide about a payment. */
export function alarmOf({ status, gateway, proof, settled }: OrderPaymentAnswer): AttentionKind | undefined {
  if (status === 'held' || status === 'reversed') return `payment_${status}`;
  return gateway || settled || proof === 'person' ? undefined : 'payment_unconfirmed';
}
