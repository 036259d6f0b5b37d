import { type Api, type MoneyAction, type MoneyItem, newKey } from '../../api/api.ts';
import { Unanswered } from '../../api/send.ts';
import { afterTry, type Ending, endingOf, type Phase } from '../../intent/action.ts';

/** What is sent at once: each item is a request of its own. */
export type Batch = { action: MoneyAction; items: MoneyItem[] };

/**
 * Sends the items of a batch one after another, each with a key of its own: a batch that was interrupted is sent again whole, and the relay
 * does what it did before only once. Throws Unanswered where it cannot go on for now.
 * @param key that of the batch
 * @param onPhase called with how far an item is
 */
export async function sendBatch(
  api: Api,
  { action, items }: Batch,
  key: string,
  onPhase: (at: number, phase: Phase) => void,
): Promise<Ending> {
  let isDone = true;
  for (const [at, item] of items.entries()) {
    const phase: Phase = { step: 'sending', isAgain: true };
    onPhase(at, phase);
    const itemKey = `${key}-${at}`;
    const ending = await api
      .move(action, item, itemKey)
      .then((moved) => endingOf(api, moved))
      .catch((error: unknown): Ending => ({ kind: 'error', error }));
    const next = afterTry({ key: itemKey, phase }, ending, newKey).phase;
    onPhase(at, next);
    if (next.step === 'unanswered') throw new Unanswered('batch');
    isDone &&= next.step === 'held' || (next.step === 'done' && next.outcome === 'succeeded');
  }
  return { kind: 'operation', outcome: isDone ? 'succeeded' : 'failed', id: undefined };
}

/** How many items of a batch ended so. One that was refused was not sent to the gateway. */
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
