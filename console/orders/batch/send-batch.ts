import { type Api, type MoneyAction, type MoneyItem, newKey } from '../../api/api.ts';
import { mayHaveBeenTaken, Refused, Unanswered } from '../../api/send.ts';
import { afterTry, type Ending, endingOf, type Phase } from '../../intent/action.ts';
import type { SeenPayment } from '../../intent/money-action.ts';

/**
 * A batch. Each item is its own request, for a payment as the person saw it. The first `begun` items may have been sent.
 */
export type Batch = { action: MoneyAction; items: MoneyItem[]; seen: SeenPayment[]; begun: number };

/** The callbacks of a batch. */
type Sending = {
  /** Whether an item may have been sent before. */
  isAgain: (at: number) => boolean;
  /**
   * Throws Refused for an item that must no longer be sent, and Unanswered if that cannot be read. Not called for an item that may
   * have been sent.
   */
  check: (at: number) => Promise<void>;
  /** Called before an item is sent. */
  onBegun: (at: number) => void;
  /** Called with the phase of an item. */
  onPhase: (at: number, phase: Phase) => void;
};

/**
 * Sends the items of a batch one after another, each with its own idempotency key. An interrupted batch can be sent again from the
 * start: the relay does no item twice. Throws Unanswered if it cannot continue for now.
 * @param key the key of the batch
 */
export async function sendBatch(
  api: Api,
  { action, items }: Batch,
  key: string,
  { isAgain, check, onBegun, onPhase }: Sending,
): Promise<Ending> {
  let isDone = true;
  let isOpen = false;
  for (const [at, item] of items.entries()) {
    const mayBeSent = isAgain(at);
    const fault = mayBeSent ? undefined : await faultOf(check(at));
    // The item was not sent: it is checked again before it is.
    if (mayHaveBeenTaken(fault)) throw new Unanswered('batch');
    const phase: Phase = { step: 'sending', ...(mayBeSent ? { isAgain: true } : {}) };
    onPhase(at, phase);
    if (fault === undefined) onBegun(at);
    const itemKey = `${key}-${at}`;
    const ending = await (fault === undefined ? api.move(action, item, itemKey) : Promise.reject(fault))
      .then((moved) => endingOf(api, moved))
      .catch((error: unknown): Ending => ({ kind: 'error', error }));
    const next = afterTry({ key: itemKey, phase }, ending, newKey).phase;
    onPhase(at, next);
    if (next.step === 'unanswered') {
      // An item that the person may not send must not stop the others.
      if (!isForbidden(ending)) throw new Unanswered('batch');
      isOpen = true;
    }
    isDone &&= next.step === 'held' || (next.step === 'done' && next.outcome === 'succeeded');
  }
  if (isOpen) throw new Unanswered('batch');
  return { kind: 'operation', outcome: isDone ? 'succeeded' : 'failed', id: undefined };
}

const faultOf = (checked: Promise<void>): Promise<unknown> =>
  checked.then(
    () => undefined,
    (error: unknown) => error,
  );

const isForbidden = (ending: Ending): boolean =>
  ending.kind === 'error' && ending.error instanceof Refused && ending.error.status === 403;

/** The number of items by their end. A refused item was not sent to the gateway. */
export function countsOf(
  phases: readonly (Phase | undefined)[],
): Record<'done' | 'held' | 'failed' | 'unknown', number> {
  const count = (is: (phase: Phase) => boolean): number => phases.filter((phase) => phase && is(phase)).length;
  return {
    done: count((phase) => phase.step === 'done' && phase.outcome === 'succeeded'),
    held: count(({ step }) => step === 'held'),
    failed: count((phase) => phase.step === 'writing' || (phase.step === 'done' && phase.outcome === 'failed')),
    unknown: count(({ step }) => step === 'unknown'),
  };
}
