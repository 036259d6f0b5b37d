import { type Request, Router } from 'express';
import type { z } from 'zod';
import { type EventList, eventQuery, idPattern, redeliverBody } from '../../shared/api/event.ts';
import { ProblemError } from '../base/errors.ts';
import { accountIn, requireKey } from '../http/api-keys.ts';
import { idempotent, jsonReply, type Reply, type Use } from '../http/idempotency.ts';
import { bodyIfAny } from '../http/json-body.ts';
import { addRoute, parseBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { eventAnswer } from './event-view.ts';

/** The webhooks of an account, and sending one again by hand. */
export function eventRoutes(context: Context): Router {
  const router = Router();
  const key = requireKey(context, 'events');

  addRoute(router, '/v1/events', {
    get: [
      key,
      async (req, res) => {
        const page = await listed(context, accountIn(res).id, parseBody(eventQuery, { ...req.query }));
        res.set('Cache-Control', 'no-store').json(page);
      },
    ],
  });

  addRoute(router, '/v1/events/:id', {
    get: [
      key,
      async (req, res) => {
        const event = await context.store.event(accountIn(res).id, idIn(req));
        if (!event) throw noSuchEvent();
        res.set('Cache-Control', 'no-store').json(eventAnswer(event));
      },
    ],
  });

  addRoute(router, '/v1/events/:id/redeliver', {
    post: [
      key,
      bodyIfAny,
      idempotent(context, {
        path: (req) => `/v1/events/${idIn(req)}/redeliver`,
        read: (body) => parseBody(redeliverBody, body),
        work: (_body, use, req) => redelivered(context, use, idIn(req)),
      }),
    ],
  });

  return router;
}

/** The id in the path. Throws ProblemError for what cannot be one: not every store takes every text. */
function idIn(req: Request): string {
  const id = String(req.params.id);
  if (!idPattern.test(id)) throw noSuchEvent();
  return id;
}

/** One page of an account's webhooks. Throws ProblemError where the cursor names none of them. */
async function listed(context: Context, account: string, query: z.infer<typeof eventQuery>): Promise<EventList> {
  const { limit, before } = query;
  // Without this a wrong cursor would look like the end of the list.
  if (before !== undefined && !(await context.store.event(account, before))) {
    throw new ProblemError('invalid_request', 'Take the cursor from the field next of the page before.', {
      errors: [{ path: 'before', message: 'must be the id of a webhook of this account' }],
    });
  }
  // One more than is shown tells whether there is a next page.
  const found = await context.store.listEvents({ ...query, account, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events: events.map(eventAnswer), ...(found.length > limit && last ? { next: last.id } : {}) };
}

/** Lets the delivery start anew. The webhook keeps its id, so that a receiver that has it knows it. Throws ProblemError. */
async function redelivered(context: Context, { account }: Use, id: string): Promise<Reply> {
  const result = await context.store.redeliverEvent(account.id, id, context.now().toISOString());
  switch (result.kind) {
    case 'redelivered':
      context.log.info({ event: id, account: account.id }, 'webhook redelivery requested');
      return jsonReply(202, eventAnswer(result.event));
    case 'pending':
      throw new ProblemError(
        'event_pending',
        'It is sent again by itself. Look at its delivery at GET /v1/events/:id.',
      );
    case 'not_found':
      throw noSuchEvent();
  }
}

function noSuchEvent(): ProblemError {
  return new ProblemError('not_found', 'This account has no webhook with this id.');
}
