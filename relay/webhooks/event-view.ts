import { z } from 'zod';
import type { EventAnswer } from '../../shared/api/event.ts';
import type { OutboxEvent } from '../store/event.ts';

/** The body of a webhook, as `newEvent` wrote it. */
const written = z.object({ data: z.record(z.string(), z.unknown()) });

/** A webhook and its delivery as its shop sees them: what `GET /v1/events/:id` answers. */
export function eventAnswer({ id, type, subject, created_at, body, delivery }: OutboxEvent): EventAnswer {
  return { id, type, subject, created_at, delivery, data: written.parse(JSON.parse(body)).data };
}
