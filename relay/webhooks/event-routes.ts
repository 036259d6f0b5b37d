import type { Request, Router } from 'express';
import { z } from 'zod';
import type { AuditAction } from '../../shared/api/audit.ts';
import {
  type EventAnswer,
  type EventList,
  type eventQuery,
  idPattern,
  MAX_REDELIVERED,
  type RedeliverEvents,
  type Redelivered,
} from '../../shared/api/event.ts';
import { ProblemError } from '../base/errors.ts';
import { wakeDelivery } from '../commit/commit.ts';
import { endpointsFor } from '../commit/new-event.ts';
import type { Context } from '../context/context.ts';
import { writeAudit } from '../http/audit.ts';
import { jsonReply, type Reply, type Use } from '../http/idempotency/idempotency.ts';
import { createLists } from '../http/list-or-file.ts';
import { serve } from '../http/serve.ts';
import { eventRoutes } from '../routes/events.ts';
import type { EventType, OutboxEvent } from '../store/facets/outbox.ts';
import { endpointAnswers } from './endpoint-answers.ts';
import { eventColumns } from './event-columns.ts';

/** The routes of an account's webhooks: reads them, delivers them again, and acknowledges failed ones. */
export function serveEvents(context: Context): Router {
  const one = (action: AuditAction, work: (use: Use, id: string) => Promise<Reply>) => ({
    keyPath: (path: string, req: Request) => {
      eventId(req.params.id);
      return path;
    },
    work: async (_body: object, use: Use, req: Request) => {
      const id = eventId(req.params.id);
      const reply = await work(use, id);
      await writeAudit(context, use.audit, { action, subject: id });
      return reply;
    },
  });
  const listOrFile = createLists(context);
  return serve(context, eventRoutes, {
    listWebhooks: async ({ account }) => ({ webhooks: await endpointAnswers(context, account) }),
    listEvents: (asked) =>
      listOrFile(asked, {
        ...{ name: 'webhooks', action: 'events.export', shown: ['status', 'type'], columns: eventColumns },
        read: ({ format: _, ...query }) => listed(context, asked.account.id, query),
        entriesOf: ({ events }) => events,
      }),
    getEvent: async ({ params, account }) => {
      const event = await context.store.outbox.get(account.id, eventId(params.id));
      if (!event) throw noSuchEvent();
      return eventAnswer(event);
    },
    redeliverEvent: one('event.redeliver', (use, id) => redelivered(context, use, id)),
    redeliverEvents: {
      work: async (body, use) => {
        const answer = await redeliverMany(context, use, body);
        await writeAudit(context, use.audit, { action: 'events.redeliver' });
        return jsonReply(202, answer);
      },
    },
    acknowledgeEvent: one('event.acknowledge', (use, id) => acknowledged(context, use, id)),
  });
}

/** The id in the path. Throws ProblemError if it cannot be an id, because not every database accepts every text. */
function eventId(given: unknown): string {
  const id = String(given);
  if (!idPattern.test(id)) throw noSuchEvent();
  return id;
}

/** One page of an account's webhooks. Throws ProblemError if the cursor is none of them. */
async function listed(context: Context, account: string, query: z.infer<typeof eventQuery>): Promise<EventList> {
  const { limit, before } = query;
  if (before !== undefined && !(await context.store.outbox.get(account, before))) throw wrongCursor('before');
  // One more than the page shows proves a next page.
  const found = await context.store.outbox.list({ ...query, account, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events: events.map(eventAnswer), ...(found.length > limit && last ? { next: last.id } : {}) };
}

/** Without this check a wrong cursor would look like the end of the list. */
function wrongCursor(path: string): ProblemError {
  return new ProblemError('invalid_request', 'Take the cursor from the field next of the page before.', {
    errors: [{ path, message: 'must be the id of a webhook of this account' }],
  });
}

/** Restarts the delivery of several webhooks, the oldest first. Waiting webhooks are unchanged. Throws ProblemError. */
async function redeliverMany(context: Context, { account }: Use, body: RedeliverEvents): Promise<Redelivered> {
  const { store } = context;
  const found = await wanted(context, account.id, body);
  const ids = found.slice(0, MAX_REDELIVERED);
  const wanting = (type: EventType): string[] => endpointsFor(context, account.id, type);
  let count = 0;
  for (const id of ids) {
    const { kind } = await store.outbox.redeliver(account.id, id, context.now().toISOString(), wanting);
    if (kind === 'redelivered') count += 1;
  }
  wakeDelivery(context, [{ account: account.id, endpoints: account.webhooks.map(({ id }) => id) }]);
  context.log.info({ account: account.id, count }, 'webhook redeliveries requested');
  const next = found.length > ids.length ? ids.at(-1) : undefined;
  return { redelivered: count, ...(next === undefined ? {} : { next }) };
}

/** The ids of the requested webhooks, up to one more than a request may have. Throws ProblemError. */
async function wanted({ store }: Context, account: string, body: RedeliverEvents): Promise<string[]> {
  if ('ids' in body) {
    const ids = [...new Set(body.ids)];
    const events = await Promise.all(ids.map((id) => store.outbox.get(account, id)));
    const errors = body.ids.flatMap((id, at) =>
      events.some((event) => event?.id === id) ? [] : [{ path: `ids.${at}`, message: 'is no webhook of this account' }],
    );
    if (errors.length === 0) return ids;
    throw new ProblemError('invalid_request', 'Correct the ids that are named. Nothing was sent again.', { errors });
  }
  const { status, type, since, after } = body;
  if (after !== undefined && !(await store.outbox.get(account, after))) throw wrongCursor('after');
  const events = await store.outbox.list({
    ...{ account, status, limit: MAX_REDELIVERED + 1, oldestFirst: after === undefined ? {} : { after } },
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
  });
  return events.map(({ id }) => id);
}

/** Acknowledges a webhook that was given up. Throws ProblemError. */
async function acknowledged(context: Context, { account, by }: Use, id: string): Promise<Reply> {
  const result = await context.store.outbox.acknowledge(account.id, id, by, context.now().toISOString());
  switch (result.kind) {
    case 'acknowledged':
      context.log.info({ event: id, account: account.id, by }, 'failed webhook acknowledged');
      return jsonReply(200, eventAnswer(result.event));
    case 'not_failed':
      throw new ProblemError(
        'event_not_failed',
        'Only a webhook that was given up can be acknowledged. Look at its delivery at GET /v1/events/:id.',
      );
    case 'not_found':
      throw noSuchEvent();
  }
}

/** Restarts the delivery of a webhook. It keeps its id, by which receivers detect repetitions. Throws ProblemError. */
async function redelivered(context: Context, { account }: Use, id: string): Promise<Reply> {
  const wanting = (type: EventType): string[] => endpointsFor(context, account.id, type);
  const result = await context.store.outbox.redeliver(account.id, id, context.now().toISOString(), wanting);
  switch (result.kind) {
    case 'redelivered':
      context.log.info({ event: id, account: account.id }, 'webhook redelivery requested');
      return jsonReply(202, eventAnswer(result.event));
    case 'pending':
      throw new ProblemError(
        'event_pending',
        'It is sent again by itself. Look at its delivery at GET /v1/events/:id.',
      );
    case 'unwanted':
      throw new ProblemError('event_unwanted', 'No endpoint of this account wants its type. It was not sent.');
    case 'not_found':
      throw noSuchEvent();
  }
}

function noSuchEvent(): ProblemError {
  return new ProblemError('not_found', 'This account has no webhook with this id.');
}

/** The body of a webhook, as `newEvent` wrote it. */
const written = z.object({ data: z.record(z.string(), z.unknown()) });

/** A webhook and its delivery: the answer of `GET /v1/events/:id`. */
function eventAnswer({ id, type, subject, created_at, body, delivery, deliveries }: OutboxEvent): EventAnswer {
  const data = written.parse(JSON.parse(body)).data;
  return { id, type, subject, created_at, delivery, deliveries: [...deliveries], data };
}
