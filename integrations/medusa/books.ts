import type { BigNumberInput } from '@medusajs/framework/types';
import { MedusaError } from '@medusajs/framework/utils';
import { type Decimal, rounded, sumOf } from './money.ts';

/** A capture or a refund of Medusa. */
type Row = { payment_id: string; amount: BigNumberInput; raw_amount?: BigNumberInput; note?: string | null };

/** A service of Medusa's payment module. */
type Rows<Stored> = {
  retrieve(id: string): Promise<Stored>;
  list(filter: { payment_id: string }): Promise<Stored[]>;
};

/** A service that Medusa passes to every payment provider. Throws MedusaError if there is none of this name. */
function serviceOf<Stored>(container: Record<string, unknown>, name: string): Rows<Stored> {
  const service = container[name];
  if (isRows<Stored>(service)) return service;
  throw unsupported(`its payment module has no ${name}`);
}

function isRows<Stored>(service: unknown): service is Rows<Stored> {
  return typeof service === 'object' && service !== null && 'retrieve' in service && 'list' in service;
}

/** The payment collection of a payment session. */
export async function collectionOf(container: Record<string, unknown>, sessionId: string): Promise<string> {
  const sessions = serviceOf<{ payment_collection_id: string }>(container, 'paymentSessionService');
  const { payment_collection_id } = await sessions.retrieve(sessionId);
  return payment_collection_id;
}

/** What Medusa wants done: the amount of the row, and the sum of all rows of its payment, this one included. */
export type Wanted = { id: string; amount: Decimal; total: Decimal; note: string | undefined };

/**
 * Reads a capture or refund of Medusa by its id, which is the idempotency key of the call. Medusa names no amount for a capture, and
 * deletes the row of one whose call failed: so the sum of the rows is what Medusa knows to be done or in progress.
 */
export async function wantedBy(
  container: Record<string, unknown>,
  kind: 'capture' | 'refund',
  id: string | undefined,
  currency: string,
): Promise<Wanted> {
  const rows = serviceOf<Row>(container, `${kind}Service`);
  if (id === undefined) throw unsupported(`the ${kind} has no idempotency key`);
  const row = await rows.retrieve(id);
  const all = await rows.list({ payment_id: row.payment_id });
  return {
    id,
    amount: rounded(exactly(row), currency),
    total: sumOf(all.map(exactly), currency),
    note: row.note?.trim() || undefined,
  };
}

/** `amount` is a float of the same value. */
function exactly({ amount, raw_amount }: Row): BigNumberInput {
  return raw_amount ?? amount;
}

function unsupported(what: string): MedusaError {
  return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `This version of Medusa is not supported: ${what}`);
}
