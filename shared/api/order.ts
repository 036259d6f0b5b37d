import { z } from 'zod';
import { sessionAnswer } from './session.ts';

const moment = z.iso.datetime();

/** A transaction that paid an order. `proof` tells who says so: the gateway's answer, a query's record, or a person. */
const payment = z.object({
  transaction_id: z.string(),
  amount: z.string(),
  currency: z.string(),
  session_id: z.string().optional(),
  attempt_id: z.string().optional(),
  proof: z.enum(['answer', 'record', 'person']),
});

/** The last query about an order that was answered or failed: when it began, and why it does not count where it does not. */
const lastQuery = z.object({ at: moment, counted: z.boolean(), fault: z.string().optional() });

/** What `POST /v1/orders/:order_no/reconcile` answers: an order as the relay knows it, after the gateway was asked. */
export const orderAnswer = z.object({
  order_no: z.string(),
  status: z.enum(['open', 'in_progress', 'paid']),
  payments: z.array(payment),
  last_query: lastQuery.optional(),
  next_query_at: moment.optional(),
  sessions: z.array(sessionAnswer),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;
