import { z } from 'zod';
import { type Client, type OrderPaymentAnswer, RelayRefused } from '#client';
import type { Decimal } from './money.ts';
import { restOf, type Sent, surplusOf } from './rest.ts';
import { type RowKind, wantedBy } from './rows.ts';

/** The maximum length of a reason at the relay. */
const MAX_REASON = 1000;

/** The metadata of an operation that Medusa requested. */
const requested = z.object({ medusa_capture_id: z.string().optional(), medusa_refund_id: z.string().optional() });

/** The metadata of a new operation. `missingOf` reads it. */
export function metadataOf(kind: RowKind, rowId: string): Record<string, string> {
  return { [`medusa_${kind}_id`]: rowId };
}

/** A capture or refund of Medusa with the part of it that the relay has still to make. */
export type Missing = {
  id: string;
  note: string | undefined;
  rest: Decimal;
  /** The payment's refunds by other clients. They do not count as Medusa's. */
  others: readonly Sent[];
};

/**
 * Compares a capture or refund of Medusa with the relay's operations. Operations whose answer was lost count as Medusa's; captures in the
 * relay's console, too: they are the cause of Medusa's capture. Throws TurnpikeError and MedusaError.
 * @param key the idempotency key of Medusa's call
 */
export async function missingOf(
  kind: RowKind,
  key: string | undefined,
  payment: OrderPaymentAnswer,
  { client, container }: { client: Client; container: Record<string, unknown> },
): Promise<Missing> {
  // The rows are read last, so that they include those of calls at the same time.
  const sent = await sentOn(client, payment, kind);
  const { id, note, rows } = await wantedBy(container, kind, key);
  const others = kind === 'refund' ? sent.filter(({ row_id }) => row_id === undefined) : [];
  const total = kind === 'refund' ? payment.refunded : payment.captured;
  const surplus = surplusOf(total, rows, sent, others);
  return { id, note, others, rest: restOf(id, { currency: payment.currency, rows, sent, surplus }) };
}

/**
 * The successful captures or refunds of a payment. An operation that the relay has deleted meanwhile is left out. Throws TurnpikeError.
 */
async function sentOn(client: Client, payment: OrderPaymentAnswer, kind: RowKind): Promise<Sent[]> {
  const done = payment.operations.filter(({ operation, outcome }) => operation === kind && outcome === 'succeeded');
  const read = done.map(async ({ operation_id, amount }): Promise<Sent[]> => {
    try {
      const { metadata } = await client.operations.get(operation_id);
      return [{ operation_id, amount, row_id: requested.safeParse(metadata).data?.[`medusa_${kind}_id`] }];
    } catch (error) {
      if (error instanceof RelayRefused && error.code === 'not_found') return [];
      throw error;
    }
  });
  return (await Promise.all(read)).flat();
}

/** The reason of a refund from Medusa's note: at most 1000 characters, without half a character at the end. */
export function reasonOf(note: string | undefined): string {
  const reason = note?.slice(0, MAX_REASON).replace(/[\uD800-\uDBFF]$/, '');
  return reason || 'Refunded in Medusa';
}
