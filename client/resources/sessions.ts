import type { z } from 'zod';
import { type SessionAnswer, sessionAnswer, sessionCreated, type settleSession } from '../../shared/api/session.ts';
import type { createSession, UpdateSession } from '../../shared/checkout/session.ts';
import type { PostOptions, Requests } from '../requests.ts';
import type { Call } from '../send.ts';

/** The requests of `/v1/sessions`. */
export function sessionsOf({ get, patch, post, postTo }: Requests) {
  return {
    /** `POST /v1/sessions`: opens the checkout of one order. */
    create: (body: z.input<typeof createSession>, postOptions?: PostOptions) =>
      post(sessionCreated, { route: '/v1/sessions' }, body, postOptions),
    /** `PATCH /v1/sessions/:id`: changes the order while it is not being paid. A repetition changes nothing. */
    update: (id: string, body: UpdateSession): Call<SessionAnswer> =>
      patch(sessionAnswer, '/v1/sessions/:id', id, body),
    /** `GET /v1/sessions/:id`: its status and its attempts. */
    get: (id: string) => get(sessionAnswer, '/v1/sessions/:id', id),
    /** `POST /v1/sessions/:id/settle`: a person who looked at the gateway's records says whether the order was paid. */
    settle: (id: string, body: z.input<typeof settleSession>, postOptions?: PostOptions): Call<SessionAnswer> =>
      postTo(sessionAnswer, '/v1/sessions/:id/settle', id, body, postOptions),
    /** `POST /v1/sessions/:id/expire`: withdraws a session that is not being paid. A repetition changes nothing. */
    expire: (id: string, postOptions?: PostOptions): Call<SessionAnswer> =>
      postTo(sessionAnswer, '/v1/sessions/:id/expire', id, {}, postOptions),
  };
}
