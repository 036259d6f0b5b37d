import { itemMessage } from '../../shared/gateway/item-message.ts';
import type { Api, Moved } from '../api/api.ts';
import { isAboutKey, mayHaveBeenTaken, Refused } from '../api/send.ts';
import { itemsOf } from '../parts/operation.tsx';

/** The phases of a request that a person sends from a dialog. */
export type Phase =
  /** Nothing was sent yet, or the request had no effect: the fields may be changed. */
  | { step: 'writing'; refusal?: Refused | Error }
  /** The request is being sent, for the first time or again. The dialog stays open. */
  | { step: 'sending'; isAgain?: true }
  /** No answer came, to this page or to an earlier one. Only the same request may be sent again. */
  | { step: 'unanswered'; isEarlier?: true }
  /** The relay answered that the outcome is not known. The request must not be sent again. */
  | { step: 'unknown'; operationId: string | undefined }
  /** Another person must approve it before `until`. */
  | { step: 'held'; until: string }
  /** The request is done. `outcome` is the gateway's. */
  | { step: 'done'; outcome: 'succeeded' | 'failed'; operationId: string | undefined; message?: string | undefined };

/**
 * Whether a dialog must stay open: a request was sent, and no answer came. The key would be lost with the dialog, and the same
 * request under another key may be done twice.
 */
export function isOpenEnded({ step }: Phase): boolean {
  return step === 'sending' || step === 'unanswered';
}

/** An intent: its key, the request sent under it, the time of the first try in milliseconds, and the phase. */
export type Intent<Body> = { key: string; sent?: { body: Body; at: number }; phase: Phase };

/** The end of a try. */
export type Ending =
  | {
      kind: 'operation';
      outcome: 'succeeded' | 'failed' | 'unknown';
      id: string | undefined;
      message?: string | undefined;
    }
  | { kind: 'held'; until: string }
  | { kind: 'error'; error: unknown };

/**
 * The outcome of an answered operation, as the relay reports it; `unknown` if that cannot be read now. An accepted payout may take
 * days.
 */
export async function endingOf(api: Api, { operationId: id, heldUntil }: Moved): Promise<Ending> {
  if (heldUntil !== undefined) return { kind: 'held', until: heldUntil };
  const operation = id === undefined ? undefined : await api.operation(id).catch(() => undefined);
  const outcome = operation?.items?.[0] ?? 'unknown';
  if (operation?.operation === 'payout') {
    const { status, failure_reason } = operation.answer ?? {};
    const isTaken = outcome === 'unknown' && typeof status === 'string' && status !== '';
    if (isTaken) return { kind: 'operation', outcome: 'succeeded', id, message: status };
    const why = outcome === 'failed' && typeof failure_reason === 'string' && failure_reason !== '';
    return { kind: 'operation', outcome, id, message: why ? failure_reason : undefined };
  }
  const [item] = operation ? itemsOf(operation) : [];
  return { kind: 'operation', outcome, id, message: item && itemMessage(operation?.answer, item) };
}

/**
 * The intent after a try. It keeps its key if the relay may have accepted the request. It gets a new key, for a request that may
 * differ, only if the relay reported for certain that nothing was done.
 */
export function afterTry<Body>(intent: Intent<Body>, ending: Ending, newKey: () => string): Intent<Body> {
  if (ending.kind === 'operation') {
    const { outcome, id: operationId, message } = ending;
    return outcome === 'unknown'
      ? { ...intent, phase: { step: 'unknown', operationId } }
      : { ...intent, phase: { step: 'done', outcome, operationId, message } };
  }
  if (ending.kind === 'held') return { ...intent, phase: { step: 'held', until: ending.until } };
  const { error } = ending;
  if (mayHaveBeenTaken(error)) return { ...intent, phase: { step: 'unanswered' } };
  if (error instanceof Refused) {
    if (leavesOpen(error)) return { ...intent, phase: { step: 'unknown', operationId: error.operationId } };
    const isAgain = intent.phase.step === 'sending' && intent.phase.isAgain;
    if (isAgain && !isAboutKey(error)) return { ...intent, phase: { step: 'unanswered' } };
    return { key: newKey(), phase: { step: 'writing', refusal: error } };
  }
  // The relay answered, but this page cannot read the answer: the order shows the outcome.
  return { ...intent, phase: { step: 'unknown', operationId: undefined } };
}

/** Whether the relay does not know the outcome, or found it out since. */
function leavesOpen({ code }: Refused): boolean {
  return ['outcome_unknown', 'operation_settled', 'idempotency_key_reused', 'request_id_used'].includes(code);
}
