import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';
import type { Decimal } from './money.ts';

/** A kind of rows, and the name of the operation at the relay. */
export type RowKind = 'capture' | 'refund';

/** A capture or a refund of Medusa. */
type Stored = {
  id: string;
  payment_id: string;
  amount: BigNumberInput;
  raw_amount?: BigNumberInput;
  note?: string | null;
};

/** A service of Medusa's payment module. */
type Rows<Row> = {
  retrieve(id: string): Promise<Row>;
  list(filter: { payment_id: string }): Promise<Row[]>;
};

/** A service that Medusa passes to every payment provider. Throws MedusaError if there is none of this name. */
function serviceOf<Row>(container: Record<string, unknown>, name: string): Rows<Row> {
  const service = container[name];
  if (isRows<Row>(service)) return service;
  throw unsupported(`its payment module has no ${name}`);
}

function isRows<Row>(service: unknown): service is Rows<Row> {
  return typeof service === 'object' && service !== null && 'retrieve' in service && 'list' in service;
}

/** The payment collection of a payment session. */
export async function collectionOf(container: Record<string, unknown>, sessionId: string): Promise<string> {
  const sessions = serviceOf<{ payment_collection_id: string }>(container, 'paymentSessionService');
  const { payment_collection_id } = await sessions.retrieve(sessionId);
  return payment_collection_id;
}

/** A capture or a refund with its exact amount, which can have more decimals than its currency. */
export type Row = { id: string; amount: Decimal };

/** The row that Medusa calls the provider for, and all rows of its payment, this one included. */
export type Wanted = { id: string; note: string | undefined; rows: readonly Row[] };

/**
 * Reads a capture or refund of Medusa by its id, which is the idempotency key of the call. Medusa passes no amount of a capture, and
 * deletes the row of a failed call: its rows are the captures or refunds that are done or in progress.
 */
export async function wantedBy(
  container: Record<string, unknown>,
  kind: RowKind,
  id: string | undefined,
): Promise<Wanted> {
  const service = serviceOf<Stored>(container, `${kind}Service`);
  if (id === undefined) throw unsupported(`the ${kind} has no idempotency key`);
  const { payment_id, note } = await service.retrieve(id);
  const stored = await service.list({ payment_id });
  return {
    id,
    note: note?.trim() || undefined,
    // `amount` is a float of the same value.
    rows: stored.map(({ id, amount, raw_amount }) => ({ id, amount: MathBN.convert(raw_amount ?? amount) })),
  };
}

function unsupported(what: string): MedusaError {
  return new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `This version of Medusa is not supported: ${what}`);
}
