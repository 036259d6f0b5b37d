import type { ComponentChildren } from 'preact';
import type { OrderStatus, OrderSummary } from '../../shared/api/order.ts';
import type { PaymentStatus } from '../../shared/api/order-payment.ts';
import { Refused, Unanswered } from '../api/send.ts';
import { useApp } from '../app/app.tsx';
import type { Words } from '../locales/words.ts';
import { harmless } from './text.tsx';
import type { Reading } from './use-answer.ts';

/** The tone of a badge. Its icon shows the tone without colour. */
export type Tone = 'good' | 'quiet' | 'busy' | 'open' | 'bad';

const toneOfState: Readonly<Record<Exclude<OrderState, PaymentStatus>, Tone>> = {
  paid_twice: 'bad',
  open: 'quiet',
  processing: 'busy',
  redirected: 'busy',
  pending: 'busy',
  unknown: 'open',
  failed: 'bad',
  expired: 'quiet',
};

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const toneOfPayment: Readonly<Record<PaymentStatus, Tone>> = {
  authorised: 'open',
  partially_captured: 'open',
  paid: 'good',
  held: 'open',
  reversed: 'bad',
  partially_refunded: 'good',
  refunded: 'quiet',
  cancelled: 'quiet',
  rejected: 'bad',
};

export function PaymentBadge({ status }: { status: PaymentStatus }) {
  const { words } = useApp();
  return <Badge tone={toneOfPayment[status]}>{words.payment_statuses[status]}</Badge>;
}

export function StateBadge({ state }: { state: OrderState }) {
  const { words } = useApp();
  return <Badge tone={{ ...toneOfPayment, ...toneOfState }[state]}>{orderWords(words)[state]}</Badge>;
}

const toneOfOutcome = { succeeded: 'good', failed: 'bad', unknown: 'open' } as const satisfies Record<string, Tone>;

export function OutcomeBadge({ outcome }: { outcome: keyof typeof toneOfOutcome }) {
  const { words } = useApp();
  return <Badge tone={toneOfOutcome[outcome]}>{words.outcomes[outcome]}</Badge>;
}

/** A placeholder until data is read, or why it could not be read. */
export function Waiting({ reading }: { reading: Reading<unknown> }) {
  const { words } = useApp();
  if (reading.error === undefined) {
    return (
      <p class="waiting" role="status">
        {words.loading}
      </p>
    );
  }
  return <Failure reading={reading} />;
}

/** Why data could not be read, with a button that tries again. */
export function Failure({ reading: { error, again } }: { reading: Reading<unknown> }) {
  const { words } = useApp();
  if (error === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{failureText(words, error)}</p>
      <button type="button" onClick={() => void again()}>
        {words.try_again}
      </button>
    </div>
  );
}

function failureText(words: ReturnType<typeof useApp>['words'], error: unknown): string {
  if (error instanceof Unanswered) return words.no_connection;
  if (error instanceof Refused) {
    if (error.code === 'not_found') return words.not_found;
    if (error.code === 'missing_scope') return words.may_not;
    return error.message;
  }
  return words.not_loaded;
}

/** A fault, announced by screen readers at once; empty without one. */
export function Fault({ text, id }: { text: string | undefined; id?: string }) {
  if (text === undefined) return null;
  return (
    <p id={id} class="fault" role="alert">
      {harmless(text)}
    </p>
  );
}

/** The state of an order. */
export type OrderState = OrderStatus | 'processing' | 'redirected';

/** The state of an order. While a payment is in progress, the session is more precise. */
export function orderState({ status, session_status }: Pick<OrderSummary, 'status' | 'session_status'>): OrderState {
  const tellsMore = session_status === 'processing' || session_status === 'redirected';
  return status === 'pending' && tellsMore ? session_status : status;
}

/** The texts of the states. */
export function orderWords({ order_states, payment_statuses }: Words): Readonly<Record<OrderState, string>> {
  return { ...order_states, ...payment_statuses };
}

/** Asks the person to reload a page of another version than the relay’s. The element is always present, so that screen readers announce its text. */
export function ReloadNotice({ words, isOutdated }: { words: Words; isOutdated: boolean }) {
  return (
    <div class="reload" role="status">
      {isOutdated && (
        <p class="notice open">
          {words.outdated}{' '}
          <button type="button" onClick={() => window.location.reload()}>
            {words.reload}
          </button>
        </p>
      )}
    </div>
  );
}
