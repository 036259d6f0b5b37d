import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { OperationAnswer } from '../../shared/api/operation.ts';
import { operationCompleted } from '../../shared/api/webhook.ts';
import { isOpen } from './refunds.ts';

/** A webhook as the shop took it. The same one may come more than once, with the same id. */
export type ReceivedWebhook = { id: string; type: string; subject: string; body: string };

/** What the shop must be told: which sessions were approved, and the outcome of the relay's refunds. */
type Known = { approved: readonly string[]; refunds: readonly OperationAnswer[] };

const PAUSE_MS = 50;

/**
 * Compares what the shop was told with what the relay knows: one event tells that a session was approved, and one what a refund
 * did. Waits for them, `withinMs` at most.
 * @returns the differences, in words
 */
export async function compareWebhooks(
  known: Known,
  told: readonly ReceivedWebhook[],
  withinMs: number,
): Promise<string[]> {
  const completed = known.refunds.filter(isCompleted);
  const expected = [
    ...known.approved.map((subject) => ({ type: 'session.approved', subject })),
    ...completed.map(({ id }) => ({ type: 'operation.completed', subject: id })),
  ];
  const end = performance.now() + withinMs;
  let events = eventsIn(told);
  const isMissing = ({ type, subject }: { type: string; subject: string }): boolean =>
    !events.has(`${type} ${subject}`);
  while (expected.some(isMissing) && performance.now() < end) {
    await setTimeout(PAUSE_MS);
    events = eventsIn(told);
  }
  const operations = new Set(known.refunds.map(({ id }) => id));
  return [
    ...expected.filter(isMissing).map(({ type, subject }) => `no event ${type} tells of ${subject}`),
    ...[...events].flatMap(([what, same]) => (isOnce(what) && same.size > 1 ? [`${same.size} events ${what}`] : [])),
    ...told.flatMap(({ type, subject }) =>
      type.startsWith('operation.') && !operations.has(subject)
        ? [`${type} tells of ${subject}, which is not known`]
        : [],
    ),
    ...completed.flatMap((refund) => otherwiseTold(refund, told)),
    ...[...Map.groupBy(told, ({ id }) => id)].flatMap(([id, same]) =>
      new Set(same.map(({ body }) => body)).size > 1 ? [`${id} had several bodies`] : [],
    ),
  ];
}

/** The ids of the events that tell one thing, by its type and subject. */
function eventsIn(told: readonly ReceivedWebhook[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, type, subject } of told) {
    const what = `${type} ${subject}`;
    found.set(what, (found.get(what) ?? new Set()).add(id));
  }
  return found;
}

/** Nobody settles a refund by hand here: each of its events comes once at the most. */
function isOnce(what: string): boolean {
  return /^(session\.approved|operation\.\w+) /.test(what);
}

/** True for a refund that did something, or was refused item by item: its shop is told. */
function isCompleted(refund: OperationAnswer): boolean {
  return (refund.status === 'answered' || refund.status === 'settled') && !isOpen(refund);
}

const body = z.object({ data: operationCompleted });

/** The events that tell another outcome of a refund than the relay knows. */
function otherwiseTold({ id, items = [] }: OperationAnswer, told: readonly ReceivedWebhook[]): string[] {
  return told
    .filter(({ type, subject }) => type === 'operation.completed' && subject === id)
    .map((one) => body.parse(JSON.parse(one.body)).data.items.map(({ status }) => status))
    .flatMap((outcomes) =>
      outcomes.join() === items.join() ? [] : [`${id} is ${items} here and told as ${outcomes}`],
    );
}
