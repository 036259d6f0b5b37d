import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { OperationAnswer } from '../../shared/api/operation.ts';
import { operationCompleted } from '../../shared/api/webhook.ts';
import { isOpen } from './refunds.ts';

/** A webhook that the shop received. The same webhook can arrive more than once, with the same id. */
export type ReceivedWebhook = { id: string; type: string; subject: string; body: string };

/** The expected events: those of approved sessions and of the relay's refunds. */
type KnownOutcomes = { approved: readonly string[]; refunds: readonly OperationAnswer[] };

const PAUSE_MS = 50;

/**
 * Compares the webhooks that the shop received with what the relay knows: one event for each approved session, and one for each
 * refund with an outcome. Waits for them, `withinMs` at most.
 * @returns the differences, in words
 */
export async function compareWebhooks(
  known: KnownOutcomes,
  received: readonly ReceivedWebhook[],
  withinMs: number,
): Promise<string[]> {
  const completed = known.refunds.filter(isCompleted);
  const expected = [
    ...known.approved.map((subject) => ({ type: 'session.approved', subject })),
    ...completed.map(({ id }) => ({ type: 'operation.completed', subject: id })),
  ];
  const end = performance.now() + withinMs;
  let events = eventsIn(received);
  const isMissing = ({ type, subject }: { type: string; subject: string }): boolean =>
    !events.has(`${type} ${subject}`);
  while (expected.some(isMissing) && performance.now() < end) {
    await setTimeout(PAUSE_MS);
    events = eventsIn(received);
  }
  const operations = new Set(known.refunds.map(({ id }) => id));
  return [
    ...expected.filter(isMissing).map(({ type, subject }) => `no event ${type} of ${subject}`),
    ...[...events].flatMap(([what, same]) => (isOnce(what) && same.size > 1 ? [`${same.size} events ${what}`] : [])),
    ...received.flatMap(({ type, subject }) =>
      type.startsWith('operation.') && !operations.has(subject)
        ? [`${type} of ${subject}, which the relay does not know`]
        : [],
    ),
    ...completed.flatMap((refund) => wrongOutcomes(refund, received)),
    ...[...Map.groupBy(received, ({ id }) => id)].flatMap(([id, same]) =>
      new Set(same.map(({ body }) => body)).size > 1 ? [`${id} had several bodies`] : [],
    ),
  ];
}

/** The ids of all received events, by type and subject. */
function eventsIn(received: readonly ReceivedWebhook[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, type, subject } of received) {
    const what = `${type} ${subject}`;
    found.set(what, (found.get(what) ?? new Set()).add(id));
  }
  return found;
}

/** True for types that occur at most once for a subject. No refund is settled by hand here. */
function isOnce(what: string): boolean {
  return /^(session\.approved|operation\.\w+) /.test(what);
}

/** True for a refund with an outcome, for which the shop gets an event. */
function isCompleted(refund: OperationAnswer): boolean {
  return (refund.status === 'answered' || refund.status === 'settled') && !isOpen(refund);
}

const body = z.object({ data: operationCompleted });

/** Events of a refund with another outcome than the relay knows. */
function wrongOutcomes({ id, items = [] }: OperationAnswer, received: readonly ReceivedWebhook[]): string[] {
  return received
    .filter(({ type, subject }) => type === 'operation.completed' && subject === id)
    .map((one) => body.parse(JSON.parse(one.body)).data.items.map(({ status }) => status))
    .flatMap((outcomes) =>
      outcomes.join() === items.join() ? [] : [`${id} is ${items} in the relay and ${outcomes} in its event`],
    );
}
