import { type Client, TurnpikeError } from '../../client/index.ts';
import { difference, MAX_DIFFERENCES, type ReportedDifference } from '../../shared/api/reconciliation.ts';
import { failureOf } from '../base/errors.ts';
import { type Difference, isDifference } from './compare/sides.ts';
import type { Compared } from './compare-period.ts';

/** What a comparison came to. Times are in milliseconds. */
type Compare = {
  from: number;
  to: number;
  orders: number;
  uncompared: number;
  differing: Iterable<Compared>;
};

/** Tells the relay what a comparison came to. Gives why it does not know, where it does not. Never throws TurnpikeError. */
export async function sendReport(client: Client, compared: Compare): Promise<string | undefined> {
  const { from, to, orders, uncompared, differing } = compared;
  const differences = [...differing].flatMap(({ findings }) => findings.filter(isDifference));
  try {
    await client.reconciliations.report({
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString(), orders, uncompared },
      total: differences.length,
      differences: differences.flatMap(reported).slice(0, MAX_DIFFERENCES),
    });
    return undefined;
  } catch (error) {
    if (error instanceof TurnpikeError) return failureOf(error).failure.message;
    throw error;
  }
}

/** As the relay takes it; none of what the gateway named in a way that the relay does not. */
function reported(found: Difference): ReportedDifference[] {
  const names = {
    ...(found.transaction_id === '' ? {} : { transaction_id: found.transaction_id }),
    ...('refund_reference_id' in found ? { refund_reference_id: found.refund_reference_id } : {}),
    ...('known' in found ? { known: found.known } : {}),
    ...('here' in found ? { here: found.here } : {}),
    ...('there' in found ? { there: found.there } : {}),
  };
  const { data } = difference.safeParse({ class: found.class, order_no: found.order_no, ...names });
  return data ? [data] : [];
}
