import { itemMessage } from '../../shared/gateway/item-message.ts';
import type { Api, Moved } from '../api/api.ts';
import { isAboutKey, mayHaveBeenTaken, Refused } from '../api/send.ts';
import { itemsOf } from '../parts/operation.tsx';

/** The outcome of something that a person asked for in a dialog. */
export type Phase =
  /** Nothing was sent yet, or what was sent did nothing: the fields may be changed. */
  | { step: 'writing'; refusal?: Refused | Error }
  /** It is being sent, for the first time or after a try that has no answer; the dialog stays. */
  | { step: 'sending'; isAgain?: true }
  /** No answer came, to this page or to one before it. The same request may be sent again, and no other. */
  | { step: 'unanswered'; isEarlier?: true }
  /** The relay answered that nobody knows: it must not be sent again. */
  | { step: 'unknown'; operationId: string | undefined }
  /** Another person must approve it until then. */
  | { step: 'held'; until: string }
  /** It is over, and `outcome` is what the gateway says. */
  | { step: 'done'; outcome: 'succeeded' | 'failed'; operationId: string | undefined; message?: string | undefined };

/**
 * Whether a dialog stays: something was sent, and no answer came. Its key would be lost with it, and what is asked for again
 * under another key may be done twice.
 */
export function isOpenEnded({ step }: Phase): boolean {
  return step === 'sending' || step === 'unanswered';
}

/** An intent: its key, what was sent under it and when first, in milliseconds, and how far it is. */
export type Intent<Body> = { key: string; sent?: { body: Body; at: number }; phase: Phase };

/** What ends a try to send. */
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
 * What the relay says became of an operation that was answered. Where that cannot be read now, it is not known here. A payout that the
 * gateway took may go on for days.
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
 * The intent after a try. The key stays whenever the relay may have taken the request; only where it said for certain that
 * nothing was done may the next try be another request, with a key of its own.
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
  // An answer that this page cannot read is an answer: the order tells what was done.
  return { ...intent, phase: { step: 'unknown', operationId: undefined } };
}

/** The relay itself does not know the outcome, or found out since. */
function leavesOpen({ code }: Refused): boolean {
  return ['outcome_unknown', 'operation_settled', 'idempotency_key_reused', 'request_id_used'].includes(code);
}
