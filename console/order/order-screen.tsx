import { useState } from 'preact/hooks';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { AttemptAnswer, SessionAnswer } from '../../shared/api/session.ts';
import { Link, useApp } from '../app/app.tsx';
import { Approvals } from '../intent/approvals.tsx';
import { useAction, useKeptIntents } from '../intent/use-intent.ts';
import { fill, type Words } from '../locales/words.ts';
import { added, isNothing } from '../parts/amount.ts';
import { Failure, Fault, type OrderState, orderState, PaymentBadge, StateBadge, Waiting } from '../parts/state.tsx';
import { Facts } from '../parts/table.tsx';
import { clock, Foreign, Method, money, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { OpenCheckouts } from './checkout.tsx';
import { GivenFacts, RecordFacts } from './facts.tsx';
import { MoneyDialog } from './money-dialog.tsx';
import { alarmOf, moneyActions, PaymentActions, PaymentCards, type PaymentDialog } from './payments.tsx';
import { GatewayRecords } from './records.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import { SettlePaymentDialog } from './settle-payment-dialog.tsx';
import { Timeline } from './timeline.tsx';

type Dialog = PaymentDialog | 'settle';
/** An open dialog, and its payment or session. */
type Open = { dialog: Dialog; id: string };

/** One order: its status, its actions and its timeline. */
export function OrderScreen({ orderNo }: { orderNo: string }) {
  const { api, words } = useApp();
  const reading = useAnswer(
    `${api.livePath} ${orderNo}`,
    () => api.order(orderNo),
    // A change without an order number may concern this order.
    (change) => change.order_no === undefined || change.order_no === orderNo,
  );
  const kept = useKeptIntents();
  // An unanswered request of this tab opens first.
  const [open, setOpen] = useState(() => kept.all().flatMap(({ subject }) => dialogOf(subject, orderNo) ?? [])[0]);
  const [asked, setAsked] = useState(0);
  const close = (): void => {
    setOpen(undefined);
    void reading.again();
  };
  const { answer: order } = reading;
  const only = order?.payments.length === 1 ? order.payments[0] : undefined;
  const settled = open?.dialog === 'settle_payment' && order?.payments.find((one) => one.transaction_id === open.id);
  return (
    <article class="order">
      <p class="crumb">
        <Link to={{ page: 'orders', filter: new URLSearchParams() }}>{words.pages.orders}</Link>
      </p>
      <div class="heading">
        <h1>
          <span class="quiet-text">{words.orders.order}</span> <Foreign text={orderNo} />
        </h1>
        {order && <StateBadge state={standing(order).state} />}
      </div>
      {order === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          <Notices order={order} />
          <OrderFacts order={order} />
          {order.undecided && <GatewayRecords undecided={order.undecided} />}
          <Approvals
            isShown={({ items }) => items.some(({ order_no }) => order_no === orderNo)}
            onChanged={reading.again}
            asked={asked}
          />
          <Actions order={order} onOpen={setOpen} onAsked={reading.again} />
          <OpenCheckouts sessions={order.sessions} onChanged={reading.again} />
          {order.payments.length > 1 && <PaymentCards order={order} onOpen={setOpen} />}
          <GivenFacts order={order} />
          {only && <RecordFacts payment={only} />}
          <Timeline order={order} onChanged={reading.again} />
        </>
      )}
      {open && open.dialog !== 'settle' && open.dialog !== 'settle_payment' && (
        <MoneyDialog
          action={open.dialog}
          orderNo={orderNo}
          transactionId={open.id}
          onMoved={() => {
            setAsked(asked + 1);
            void reading.again();
          }}
          onClose={close}
        />
      )}
      {order && open?.dialog === 'settle' && <SettleDialog order={order} sessionId={open.id} onClose={close} />}
      {settled && <SettlePaymentDialog payment={settled} onClose={close} />}
    </article>
  );
}

/** The dialog of an intent; undefined if the intent is not an order's. */
function dialogOf([dialog, order, id]: readonly string[], orderNo: string): Open | undefined {
  const known = dialogs.find((one) => one === dialog);
  return known && order === orderNo && id !== undefined ? { dialog: known, id } : undefined;
}

const dialogs: readonly Dialog[] = [...moneyActions, 'settle', 'settle_payment'];

/** The warnings about an order. */
function Notices({ order }: { order: OrderWithTimeline }) {
  const { words, locale } = useApp();
  const { state, undecided } = standing(order);
  const next =
    order.next_query_at === undefined
      ? ''
      : ` ${fill(words.order.next_look, { time: clock(locale, order.next_query_at) })}`;
  const texts = [
    ...(order.status === 'paid_twice' ? [order.paid_twice ? words.order.paid_twice : words.order.paid_twice_open] : []),
    ...(state === 'unknown'
      ? [order.needs_attention ? unknownText(words, order) : `${words.order.unknown}${next}`]
      : []),
    ...(state === 'pending' ? [`${words.order.pending}${next}`] : []),
    ...(order.needs_attention && undecided === undefined ? alarms(words, order) : []),
  ];
  return texts.map((text) => (
    <p key={text} class="notice open">
      {text}
    </p>
  ));
}

/** The advice for an order whose outcome is unknown. */
function unknownText({ order }: Words, { undecided }: OrderWithTimeline): string {
  return undecided ? order.undecided[undecided.reason] : order.unknown_attention;
}

/** The advice for the payments of an order that needs a person, or for its contract. */
function alarms({ home, order: names }: Words, { payments, sessions }: OrderWithTimeline): string[] {
  const known = payments.flatMap((payment) => {
    const alarm = payment.status === 'authorised' ? 'payment_authorised' : alarmOf(payment);
    return alarm ? [home.todo[alarm]] : [];
  });
  const own = payments.filter(({ origin }) => origin !== 'renewal');
  if (known.length > 0 || own.length > 1) return [...new Set(known)];
  const isOfSession = sessions.some(({ needs_attention }) => needs_attention);
  const hasContract = own.some(({ recurring_id }) => recurring_id !== undefined);
  return [hasContract && !isOfSession ? home.todo.charge_failed : names.contradiction];
}

function OrderFacts({ order }: { order: OrderWithTimeline }) {
  const { words, locale } = useApp();
  const amount = (value: string): string => money(locale, order.currency, value);
  const { last } = standing(order);
  const [only, ...others] = order.payments;
  const isPaid = only !== undefined;
  // Several payments have a card each.
  const isOne = others.length === 0;
  const own = order.payments.filter(({ currency }) => currency === order.currency);
  const refunded = own.map((one) => one.refunded).reduce(added, '0.00');
  return (
    <Facts
      facts={[
        { name: words.orders.amount, class: 'amount', value: amount(order.amount) },
        isPaid && !isNothing(order.captured) && { name: words.order.captured, value: amount(order.captured) },
        isPaid &&
          !isNothing(order.refunded) && {
            ...{ name: words.order.refunded, value: amount(refunded) },
            note:
              !isNothing(order.refund_undecided) &&
              fill(words.order.not_known, { amount: amount(order.refund_undecided) }),
          },
        isPaid && { name: words.order.refundable, value: amount(order.refundable) },
        isOne &&
          last !== undefined && { name: words.orders.method, value: <Method method={last.method} card={last.card} /> },
        isOne &&
          isPaid && {
            ...{ name: words.orders.transaction, class: 'code', value: <Foreign text={only.transaction_id} /> },
            note: <PaymentBadge status={only.status} />,
          },
        { name: words.orders.time, value: <Time at={order.created_at} /> },
      ]}
    />
  );
}

function Actions(props: { order: OrderWithTimeline; onOpen: (open: Open) => void; onAsked: () => Promise<void> }) {
  const { order, onOpen, onAsked } = props;
  const { words, may } = useApp();
  const { undecided } = standing(order);
  const [payment, ...others] = order.payments;
  return (
    <div class="actions">
      {payment && others.length === 0 && <PaymentActions {...{ order, payment, onOpen }} main={['refund']} />}
      {undecided && may('settle') && (
        <button type="button" onClick={() => onOpen({ dialog: 'settle', id: undecided.id })}>
          {words.order.settle}
        </button>
      )}
      {may('query') && <AskNow orderNo={order.order_no} onAsked={onAsked} />}
    </div>
  );
}

function AskNow({ orderNo, onAsked }: { orderNo: string; onAsked: () => Promise<void> }) {
  const { api, words } = useApp();
  const { isSending, fault, run } = useAction((key) => api.reconcile(orderNo, key), onAsked);
  return (
    <>
      <button type="button" aria-disabled={isSending} onClick={run}>
        {isSending ? words.order.asking : words.order.ask_now}
      </button>
      <Fault text={fault} />
    </>
  );
}

/** The state of an order, the session that a person may settle, and the attempt that paid or came last. */
type Standing = { state: OrderState; undecided: SessionAnswer | undefined; last: AttemptAnswer | undefined };

/** Computes the state of an order from its sessions. */
function standing({ status, sessions }: Pick<OrderWithTimeline, 'status' | 'sessions'>): Standing {
  const newest = sessions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const undecided = newest.find((session) => session.status === 'unknown' || session.status === 'pending');
  const attempts = newest.flatMap((session) => session.attempts.toReversed());
  const last = attempts.find((attempt) => attempt.status === 'approved') ?? attempts[0];
  const session_status = (undecided ?? newest[0])?.status ?? 'open';
  return { state: orderState({ status, session_status }), undecided, last };
}
