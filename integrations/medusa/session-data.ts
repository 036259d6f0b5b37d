import { MedusaError } from '@medusajs/framework/utils';
import { z } from 'zod';
import type { SessionAnswer, SessionCreated } from '#client';

/**
 * The `data` of a payment session and of a payment in Medusa. The storefront reads `client_secret`, which opens the form of this session
 * only, and `checkout_url`. `session_id` is Medusa's, `id` the relay's.
 */
export type SessionData = {
  id: string;
  client_secret?: string | undefined;
  checkout_url?: string | undefined;
  order_no: string;
  currency: string;
  amount: string;
  transaction_id?: string | undefined;
  [name: string]: unknown;
};

const sessionData: z.ZodType<SessionData> = z.looseObject({
  id: z.string(),
  client_secret: z.string().optional(),
  checkout_url: z.string().optional(),
  order_no: z.string(),
  currency: z.string(),
  amount: z.string(),
  transaction_id: z.string().optional(),
});

/** The data of a session that the provider created; undefined if there is none. */
export function knownData(data: Record<string, unknown> | undefined): SessionData | undefined {
  return sessionData.safeParse(data).data;
}

/** The data of a session that the provider created. Throws MedusaError if there is none. */
export function dataOf(data: Record<string, unknown> | undefined): SessionData {
  const known = knownData(data);
  if (known) return known;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The data names no Turnpike session: pass that of the session');
}

/** The fields of a new session that Medusa stores. */
export function createdData(session: SessionCreated, order: { currency: string; amount: string }): SessionData {
  const { id, client_secret, checkout_url, order_no } = session;
  return { id, client_secret, checkout_url, order_no, ...order };
}

/** The stored data after the session was read. A session that is over has no secret. */
export function currentData(before: SessionData, session: SessionAnswer): SessionData {
  const { client_secret, checkout_url, transaction_id } = session;
  return { ...before, client_secret, checkout_url, transaction_id };
}
