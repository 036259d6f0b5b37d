import { expect, it } from 'vitest';
import { cellsIn } from '../../http/csv.ts';
import { acknowledgedSubscription } from '../../routes/examples/subscriptions.ts';
import { subscriptionColumns } from './columns.ts';

it('a contract is one line of CSV, with its last failure', () => {
  const cells = cellsIn(subscriptionColumns, acknowledgedSubscription);
  const line = Object.fromEntries(subscriptionColumns.map(([name], at) => [name, cells[at]]));
  const { recurring_id, order_no, first_charge, failures, last_failure } = acknowledgedSubscription;
  expect(line).toMatchObject({
    ...{ recurring_id, order_no, first_amount: first_charge.amount, failures: String(failures) },
    ...{ last_failure_at: last_failure?.at, last_failure_code: last_failure?.result.code },
  });
});
