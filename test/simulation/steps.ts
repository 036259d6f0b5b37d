import type { GatewayVariant } from './gateway-variant.ts';
import { defaultOperationPlan, defaultPaymentPlan, type OperationPlan, type PaymentPlan, type Phase } from './plans.ts';

/** The amounts of orders by currency. Steps name an amount by its index. */
export const AMOUNTS = {
  BRL: ['10.00', '12.50', '99.90'],
  JPY: ['10.00', '12.00', '99.00'],
  KWD: ['10.000', '12.505', '99.900'],
} as const;

/**
 * An action in a history. `session` counts an order's sessions back from the latest; a number that is too high starts
 * again from there. `repeat` requests the last effect of that kind again, if there is one, for whatever order; `anew`:
 * the last refund of the order as a new one, or the last payout under another key.
 */
export type Action =
  | { do: 'buy'; order: number; amount: number; method: Method; presses: number; gap: number; fate: PaymentPlan }
  | { do: 'create session'; order: number; amount: number; seconds: number }
  | {
      do: 'press pay';
      order: number;
      session: number;
      method: Method;
      presses: number;
      gap: number;
      hangsUp: boolean;
      fate: PaymentPlan;
    }
  | {
      do: 'pay from server';
      order: number;
      amount: number;
      method: Method;
      requests: number;
      /** Without an idempotency key. */
      keyless?: boolean;
      fate: PaymentPlan;
    }
  /**
   * A shop repeats a request with its key, the latest one or an earlier one, `later` milliseconds later. `isOther`:
   * with another body, if the first answer is stored under the key.
   */
  | { do: 'repeat request'; back: number; later: number; isOther: boolean }
  /** People repeat a decision with its key: about a session, an operation or webhooks. */
  | { do: 'repeat decision'; back: number; later: number }
  | { do: 'view session'; order: number; session: number }
  | { do: 'return from issuer'; order: number; session: number }
  | { do: 'say returned'; order: number; session: number }
  | { do: 'abandon'; order: number; session: number }
  /** `other`: they name a transaction of another order by mistake. */
  | { do: 'settle'; order: number; session: number; approve: boolean; other?: true }
  | { do: 'expire'; order: number; session: number }
  /** An empty note deletes the note; without one the note stays. */
  | { do: 'change order'; order: number; session: number; amount: number; note?: string }
  | { do: 'reconcile'; order: number }
  | { do: 'forge notification'; order: number; session: number; times: number }
  | {
      do: 'book foreign record';
      order: number;
      amount: number;
      minutes: number;
      nameless?: boolean;
      /** In another currency than the order's. */
      isForeign?: boolean;
      book: Phase[];
    }
  | { do: 'break gateway'; what: 'queries' | 'payments' | 'everything'; how: Outage; ms: number }
  | {
      do: 'spoil records';
      order: number;
      /** `foreign`: queries also return a record of an order that they did not name. */
      how: 'unreadable' | 'too_large' | 'timeout' | 'http_500' | 'refused' | 'no_success' | 'foreign';
      ms: number;
    }
  | { do: 'break store'; how: StoreTrouble; calls: number }
  | { do: 'kill relay'; relay: number; calls: number; effect: boolean; downMs: number }
  /** The clock of a relay, which may be down, is set ahead by this many milliseconds, or back. */
  | { do: 'step clock'; relay: number; ms: number }
  /** The operator changes the configuration. All relays stop for it and start again. */
  | { do: 'change config'; what: ConfigChange; downMs: number }
  /** One relay loses its store for some time. */
  | { do: 'cut off'; relay: number; ms: number }
  /** A person settles an operation with an unknown outcome, the latest or an earlier one. */
  | { do: 'settle operation'; back: number; says: 'truth' | 'succeeded'; relay: number }
  | { do: 'break shop'; how: 'http_500' | 'http_410' | 'silent'; ms: number }
  | { do: 'failed webhooks'; what: 'redeliver' | 'acknowledge' }
  | ({ do: 'refund'; order: number; part: boolean; repeat: boolean; anew?: true; fate: OperationPlan } & OrderAction)
  | ({ do: 'capture' | 'cancel' | 'review'; order: number; repeat: boolean; fate: OperationPlan } & OrderAction)
  | { do: 'pay out'; repeat: boolean; anew?: true; fate: OperationPlan }
  | { do: 'wait' };

/**
 * How an operation is requested: by its order, to which the relay adds the payment and its rest, or by a message for
 * the gateway. `named`: by its order, with the transaction.
 */
export type OrderAction = { byOrder?: 'named' | 'unnamed' };

/**
 * `codes`: the code of a declined record is listed, if it was not. `secret`: a new signing secret, beside the previous
 * one. An account is left out, or is back. All changes at the gateway are paused, or resumed.
 */
export type ConfigChange = 'codes' | 'secret' | 'account goes' | 'account comes' | 'pause' | 'resume';

export type Method = 'card' | 'apm';
/**
 * The failure of the store's calls: before or after they write, or with a delay. `commit unheard` and `commit late`
 * concern only calls that write sessions, orders and operations; late ones are done some time after they failed, and
 * `commit heard late` confirms them after a while. `commit fails`: the transaction is undone at its end.
 */
export type StoreTrouble =
  | 'not written'
  | 'written unheard'
  | 'commit unheard'
  | 'commit late'
  | 'commit heard late'
  | 'commit fails'
  | 'slow';
/**
 * The failure of the gateway. `no_success`: queries and searches are answered with a return_status that is no success.
 */
export type Outage = 'timeout' | 'http_500' | 'not_sent' | 'slow' | 'refused_400' | 'no_success';

/** `after`: the milliseconds since the previous step. */
export type Step = { after: number } & Action;

/** A simulated world, and the steps in it. */
export type History = { seed: number; relays: number; variant?: GatewayVariant; steps: Step[] };

const defaults = new Map(
  Object.entries({ ...defaultPaymentPlan, ...defaultOperationPlan, unstored: 0, nameless: false, changesLate: 0 }),
);

/** The text of a step in traces and reports. */
export function describeStep(step: Step): string {
  const { after, do: what, ...details } = withoutDefaults(step);
  return `+${(after / 1000).toFixed(3)} s  ${what} ${JSON.stringify(details).replaceAll('"', '')}`;
}

/** A step whose plan has only the values that differ from the default, as in `regressions`. */
export function withoutDefaults(step: Step): Omit<Step, 'fate'> & { fate?: object } {
  return 'fate' in step ? { ...step, fate: differences(step.fate) } : step;
}

function differences(fate: PaymentPlan | OperationPlan): object {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return Object.fromEntries(
    Object.entries(fate).filter(([name, value]) => defaults.get(name) !== value && !isEmpty(value)),
  );
}

/** The number of faults in a step. */
export function faultsIn(step: Step): number {
  if (!('fate' in step)) return /^(break|spoil|kill|forge|book|step|change config|cut off)/.test(step.do) ? 1 : 0;
  const odd = Object.keys(differences(step.fate)).filter(
    (name) => !['says', 'book', 'tries', 'back', 'notices'].includes(name),
  );
  const turns = 'book' in step.fate && step.fate.book.length + step.fate.tries.length > 1 ? 1 : 0;
  return odd.length + turns;
}
