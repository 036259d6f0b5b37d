import type { ResultDetail } from '../../../shared/checkout/frame.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import type { InstallmentOption, PaymentMethod } from '../../../shared/checkout/session.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import type { Say } from '../../locales/messages.ts';
import { methodKey, noticeOf, type Stage, type State, stageOf, type Told, type View } from '../state.ts';

/** What an outcome changes in the form. What was typed stays for the next try, if there is one. */
export function afterPay(state: State, answer: PayAnswer): Partial<State> {
  const { view } = state;
  switch (answer.status) {
    case 'approved': {
      const { order_no, transaction_id, card } = answer;
      return {
        view: { ...view, status: 'approved', order_no, transaction_id, card },
        stage: { name: 'approved' },
        values: {},
      };
    }
    case 'declined': {
      const { attempts_left, advice } = answer;
      return {
        view: { ...view, attempts_left, notice: 'declined', advice },
        stage: { name: attempts_left > 0 ? 'form' : 'failed' },
        values: attempts_left > 0 ? state.values : {},
        told: { key: `declined_${advice}` },
      };
    }
    case 'redirect':
      return { stage: { name: 'leaving', url: answer.redirect_url } };
    case 'pending':
      return { stage: { name: 'pending' } };
    case 'unknown':
      return { stage: { name: 'confirming' } };
  }
}

/** What the session, loaded again, changes in the form. `fallback` is told where the session itself tells nothing. */
export function afterLoad(state: State, view: CheckoutView, fallback?: Told): Partial<State> {
  const stage = stageOf(view);
  const notice = noticeOf(view);
  const kept =
    state.stage.name === 'form' ? (toldOnline(state) ?? notice) : isNews(state.view, view) ? notice : fallback;
  // Who opens the checkout again after an attempt finds chosen what that one was to be paid with.
  const last = isAwaited(state.stage) ? [view.last_method, `apm ${view.last_method}`] : [];
  const chosen =
    view.methods.find((method) => last.includes(methodKey(method))) ??
    view.methods.find((method) => methodKey(method) === state.method) ??
    view.methods[0];
  const installments = movedPlan(state, view);
  return {
    view,
    stage,
    ...(installments !== undefined && { values: { ...state.values, installments } }),
    told: view.status === 'open' ? (changeOf(state, view) ?? kept ?? notice ?? fallback) : toldPending(state, stage),
    // What cannot be paid any more needs no card.
    ...(['approved', 'failed', 'expired'].includes(stage.name) && { values: {} }),
    ...(chosen && methodKey(chosen) !== state.method && { method: methodKey(chosen), errors: {} }),
  };
}

/**
 * What the session changes in the form after the shopper has abandoned what was pending: another method is chosen, and they are
 * told not to pay with this one, `abandoned`, as well. Where there is no other method the session alone is told.
 */
export function afterAbandon(state: State, view: CheckoutView, abandoned: string): Partial<State> {
  const patch = afterLoad(state, view);
  const other = view.methods.find((method) => methodKey(method) !== `apm ${state.view.pending?.payment_method}`);
  if (view.status !== 'open' || !other) return patch;
  const told: Told = changeOf(state, view) ?? { key: 'abandoned', values: { method: abandoned } };
  return { ...patch, told, method: methodKey(other), errors: {} };
}

/** Whether only the session tells, sooner or later, how it goes on. */
export function isAwaited(stage: Stage): boolean {
  return stage.name === 'checking' || stage.name === 'confirming' || stage.name === 'pending';
}

/** What the shopper calls the method that is pending; empty where the session has not told it yet. */
export function pendingLabel({ methods, pending }: View, say: Say): string {
  if (pending?.payment_method === 'card') return say('card');
  const isPending = (method: PaymentMethod) => methodKey(method) === `apm ${pending?.payment_method}`;
  const found = methods.find(isPending);
  return found?.type === 'apm' ? found.label : (pending?.payment_method ?? '');
}

/** Whether a session that is open tells of a try that had not been told before. */
export function isNews(before: View, now: View): boolean {
  return now.notice !== undefined && (now.notice !== before.notice || now.attempts_left !== before.attempts_left);
}

/**
 * What the shop's page is told of a session; undefined while nothing came out. `wasAwaited`: the shopper waited for something to
 * come out, `wasPending`: of what was pending.
 */
export function resultOf(view: CheckoutView, wasAwaited: boolean, wasPending: boolean): ResultDetail | undefined {
  const { order_no, transaction_id } = view;
  switch (view.status) {
    case 'approved':
      return { status: 'approved', order_no, ...(transaction_id !== undefined && { transaction_id }) };
    case 'failed':
    case 'expired':
    case 'pending':
    case 'unknown':
      return { status: view.status, order_no };
    case 'open': {
      const status = view.notice ?? (wasPending ? 'not_paid' : undefined);
      return wasAwaited && status ? { status, order_no } : undefined;
    }
    case 'processing':
    case 'redirected':
      return undefined;
  }
}

/** What is told of a payment that stays pending: that it cannot be abandoned. */
function toldPending({ stage, told }: State, next: Stage): Told | undefined {
  return stage.name === 'pending' && next.name === 'pending' ? told : undefined;
}

/** What is told already. That the device is offline is over once the session has been loaded. */
function toldOnline({ told }: State): Told | undefined {
  return told?.key === 'offline' ? { key: 'not_sent' } : told;
}

/** Where the chosen plan stands now that the options have changed, the first if it is gone; undefined where it stays. */
function movedPlan({ view: before, values }: State, { installment_options: now }: CheckoutView): string | undefined {
  const place = Number(values.installments ?? 0);
  const chosen = before.installment_options[place];
  const isChosen = (option: InstallmentOption | undefined) =>
    option?.installments === chosen?.installments && option?.installments_id === chosen?.installments_id;
  return chosen && !isChosen(now[place]) ? String(Math.max(now.findIndex(isChosen), 0)) : undefined;
}

function changeOf(state: State, view: CheckoutView): Told | undefined {
  const before = state.view;
  if (view.revision <= before.revision) return undefined;
  const sameAmount = view.amount === before.amount && view.currency === before.currency;
  return { key: sameAmount ? 'order_changed' : 'amount_changed' };
}
