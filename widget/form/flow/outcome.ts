import type { ResultDetail } from '../../../shared/checkout/frame.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { methodKey, noticeOf, type State, stageOf, type Told, type View } from '../state.ts';

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
    case 'unknown':
      return { stage: { name: 'confirming' } };
  }
}

/** What a fresh look at the session changes in the form. `fallback` is told where the session itself tells nothing. */
export function afterLook(state: State, view: CheckoutView, fallback?: Told): Partial<State> {
  const stage = stageOf(view);
  const notice = noticeOf(view);
  const kept = state.stage.name === 'form' ? (state.told ?? notice) : isNews(state.view, view) ? notice : fallback;
  const known = view.methods.some((method) => methodKey(method) === state.method);
  const [first] = view.methods;
  return {
    view,
    stage,
    told: view.status === 'open' ? (changeOf(state, view) ?? kept ?? notice ?? fallback) : undefined,
    // What cannot be paid any more needs no card.
    ...(['approved', 'failed', 'expired'].includes(stage.name) && { values: {} }),
    ...(!known && first && { method: methodKey(first), errors: {} }),
  };
}

/** Whether a session that is open tells of a try that had not been told before. */
export function isNews(before: View, now: View): boolean {
  return now.notice !== undefined && (now.notice !== before.notice || now.attempts_left !== before.attempts_left);
}

/** What the shop's page is told of a session that was looked at; undefined while nothing came out. */
export function resultOf(view: CheckoutView, cameBack: boolean): ResultDetail | undefined {
  const { order_no, transaction_id } = view;
  switch (view.status) {
    case 'approved':
      return { status: 'approved', order_no, ...(transaction_id !== undefined && { transaction_id }) };
    case 'failed':
    case 'expired':
    case 'unknown':
      return { status: view.status, order_no };
    case 'open':
      return cameBack && view.notice ? { status: view.notice, order_no } : undefined;
    case 'processing':
    case 'redirected':
      return undefined;
  }
}

function changeOf(state: State, view: CheckoutView): Told | undefined {
  const before = state.view;
  if (view.revision <= before.revision) return undefined;
  const sameAmount = view.amount === before.amount && view.currency === before.currency;
  return { key: sameAmount ? 'order_changed' : 'amount_changed' };
}
