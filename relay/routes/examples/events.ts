import type { EventAnswer, EventList, RedeliverEvents, Redelivered } from '../../../shared/api/event.ts';
import { eventId, operationId, sessionId, time } from '../../../shared/samples/ids.ts';
import type { Example } from '../route.ts';

const failed: EventAnswer = {
  id: eventId,
  type: 'session.approved',
  subject: sessionId,
  created_at: time,
  delivery: { status: 'failed', tries: 38, failed_at: '2027-04-03T10:15:04.000Z', reason: 'http_503' },
  data: { id: sessionId, status: 'approved', order_no: 'A-1001', currency: 'BRL', amount: '129.90' },
};

const waiting: EventAnswer = {
  id: 'msg_B4nXs7Kd1QzVr8TyWm2LcGpJf6Hu9EaR',
  type: 'operation.unknown',
  subject: operationId,
  created_at: '2027-03-31T10:16:12.000Z',
  delivery: {
    status: 'pending',
    tries: 3,
    next_try_at: '2027-03-31T10:16:19.214Z',
    first_try_at: '2027-03-31T10:16:12.000Z',
    fault: 'timeout',
  },
  data: { id: operationId, operation: 'capture', status: 'unknown' },
};

const delivered: EventAnswer = {
  ...failed,
  delivery: { status: 'delivered', tries: 1, delivered_at: '2027-03-31T10:15:00.120Z' },
};

const page: EventList = { events: [waiting, failed], next: failed.id };

export const eventListExamples: Example[] = [{ name: 'page', summary: 'A page with a next page', value: page }];

export const eventExamples: Example[] = [
  { name: 'delivered', summary: 'Delivered', value: delivered },
  { name: 'pending', summary: 'Waits for the next try', value: waiting },
  { name: 'failed', summary: 'Given up', value: failed },
];

export const redeliveredExamples: Example[] = [
  {
    name: 'pending',
    summary: 'Is sent again',
    value: {
      ...failed,
      delivery: { status: 'pending', tries: 0, next_try_at: '2027-04-05T08:00:00.000Z' },
    } satisfies EventAnswer,
  },
];

const givenUp: RedeliverEvents = { status: 'failed', since: time };
const named: RedeliverEvents = { ids: [eventId] };

export const redeliverExamples: Example[] = [
  { name: 'failed', summary: 'All that were given up since a time', value: givenUp },
  { name: 'ids', summary: 'These', value: named },
];

export const countExamples: Example[] = [
  { name: 'all', summary: 'All of them', value: { redelivered: 12 } satisfies Redelivered },
  { name: 'more', summary: 'There are more', value: { redelivered: 100, next: eventId } satisfies Redelivered },
];

export const acknowledgedExamples: Example[] = [
  {
    name: 'acknowledged',
    summary: 'Dealt with',
    value: {
      ...failed,
      delivery: {
        status: 'acknowledged',
        tries: 38,
        failed_at: '2027-04-03T10:15:04.000Z',
        reason: 'http_503',
        acknowledged_at: '2027-04-05T08:00:00.000Z',
        by: 'support',
      },
    } satisfies EventAnswer,
  },
];

/** For every route that needs nothing but its address. */
export const emptyExamples: Example[] = [{ name: 'empty', summary: 'An empty object', value: {} }];
