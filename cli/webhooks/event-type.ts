import { z } from 'zod';
import { eventTypes } from '../../shared/api/webhook.ts';
import { list } from '../base/options.ts';

/** An event's type, as an option names it. */
export const eventType = z.enum(eventTypes, {
  error: 'is not a type of events: turnpike trigger --list shows them all',
});

/** Several, such as `session.approved,operation.completed`. */
export const eventTypeList = list.pipe(z.array(eventType).min(1, 'names no event'));
