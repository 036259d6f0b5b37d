import type { ResultDetail } from '../../../shared/checkout/frame.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import type { InstallmentOption, SavedCard } from '../../../shared/checkout/session.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { expiryProblem } from '../card/problems.ts';
import {
  type Message,
  methodAfter,
  methodKey,
  noticeOf,
  type Stage,
  type State,
  stageOf,
  type View,
} from '../state.ts';
import { awaitedOf, isAwaited } from './awaited.ts';

/** The changes of the form after an outcome. The input stays for the next attempt, if there is one. */
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
        ...(attempts_left > 0 ? anotherCard(state, advice) : { values: {} }),
        message: { key: `declined_${advice}` },
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

/** The changes of the form after the session was loaded again. `fallback` is the message if the session has none. */
export function afterLoad(state: State, view: CheckoutView, fallback?: Message): Partial<State> {
  const stage = stageOf(view);
  const notice = noticeOf(view);
  const kept =
    state.stage.name === 'form' ? (shownMessage(state) ?? notice) : hasNewNotice(state.view, view) ? notice : fallback;
  // A shopper who opens the checkout again after an attempt finds its method chosen.
  const chosen =
    (isAwaited(state.stage) ? methodAfter(view) : undefined) ??
    view.methods.find((method) => methodKey(method) === state.method) ??
    view.methods[0];
  const another = state.stage.name !== 'form' && hasNewNotice(state.view, view) ? anotherCard(state, view.advice) : {};
  const installments = movedPlan(state, view);
  return {
    view,
    stage,
    ...another,
    ...(installments !== undefined && { values: { ...state.values, ...another.values, installments } }),
    message:
      view.status === 'open' ? (changeOf(state, view) ?? kept ?? notice ?? fallback) : awaitedMessage(state, stage),
    ...(!view.saved_cards.some(({ token_id }) => token_id === state.token) && { token: '' }),
    // A session that is over needs no card.
    ...(['approved', 'failed', 'expired'].includes(stage.name) && { values: {} }),
    ...(chosen && methodKey(chosen) !== state.method && { method: methodKey(chosen), errors: {} }),
  };
}

/**
 * Prepares the form for another card if the paid one cannot pay: the typed card is cleared, a saved one is no longer
 * chosen.
 */
function anotherCard({ method, token, values }: State, advice: CheckoutView['advice']): Partial<State> {
  if (advice !== 'try_another_card' || method !== 'card') return {};
  return token ? { token: '' } : { values: { ...values, card: '', expiry: '', security_code: '' } };
}

/**
 * The changes of the form after the shopper has abandoned an awaited payment: another method is chosen, and a message
 * says not to pay the `abandoned` one. Without another method the session decides.
 */
export function afterAbandon(state: State, view: CheckoutView, abandoned: string): Partial<State> {
  const patch = afterLoad(state, view);
  const other = view.methods.find((method) => methodKey(method) !== `apm ${awaitedOf(state.view)?.payment_method}`);
  if (view.status !== 'open' || !other) return patch;
  const message: Message = changeOf(state, view) ?? { key: 'abandoned', values: { method: abandoned } };
  return { ...patch, message, method: methodKey(other), errors: {} };
}

/** Whether an open session has a notice of an attempt that the form has not shown before. */
export function hasNewNotice(before: View, now: View): boolean {
  return now.notice !== undefined && (now.notice !== before.notice || now.attempts_left !== before.attempts_left);
}

/**
 * The result event for the host page; undefined without a result. `wasAwaited`: the shopper waited for the result,
 * `wasPending`: of a pending payment.
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

/** The message about an awaited payment that cannot be abandoned, or not now. */
function awaitedMessage({ stage, message }: State, next: Stage): Message | undefined {
  return isAwaited(stage) && stage.name === next.name ? message : undefined;
}

/** The present message. Once the session has been loaded, the device is no longer offline. */
function shownMessage({ message }: State): Message | undefined {
  return message?.key === 'offline' ? { key: 'not_sent' } : message;
}

/** The new index of the chosen plan among changed options, the first option if it is gone; undefined if it stays. */
function movedPlan({ view: before, values }: State, { installment_options: now }: CheckoutView): string | undefined {
  const place = Number(values.installments ?? 0);
  const chosen = before.installment_options[place];
  const isChosen = (option: InstallmentOption | undefined) =>
    option?.installments === chosen?.installments && option?.installments_id === chosen?.installments_id;
  return chosen && !isChosen(now[place]) ? String(Math.max(now.findIndex(isChosen), 0)) : undefined;
}

function changeOf(state: State, view: CheckoutView): Message | undefined {
  const before = state.view;
  if (view.revision <= before.revision) return undefined;
  const sameAmount = view.amount === before.amount && view.currency === before.currency;
  return { key: sameAmount ? 'order_changed' : 'amount_changed' };
}

/**
 * The shop's data about the shopper, filled in if nothing was typed yet, and the first saved card that has not expired,
 * unless the shopper is `typing`: no field may disappear during the input.
 */
export function prefilled(state: State, typing: boolean, now: Date): Pick<State, 'values' | 'token'> {
  const { prefill = {}, saved_cards = [] } = state.view;
  const { first_name = '', last_name = '' } = prefill;
  const known: Record<string, string> = { ...prefill, name: `${first_name} ${last_name}`.trim() };
  const isGood = ({ expiration_month: month, expiration_year: year }: SavedCard) =>
    expiryProblem(`${month}/${year}`, now) !== 'expiry_past';
  const typed = Object.entries(state.values).filter(([, value]) => value);
  return {
    values: { ...known, ...Object.fromEntries(typed) },
    token: state.token || (typing || state.values.card ? '' : (saved_cards.find(isGood)?.token_id ?? '')),
  };
}
