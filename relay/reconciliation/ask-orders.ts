import { type OrderRecord, queryAnswer } from '../../shared/gateway/query.ts';
import type { Account } from '../config/load.ts';
import type { QueryFault } from '../payments/session.ts';
import type { Context } from '../store/context.ts';

/** What a query brought: the records of one that counts, or why it proves nothing. */
export type Asked = { counts: true; records: readonly OrderRecord[] } | { counts: false; why: QueryFault };

/** The most queries that a refused one is split into: enough to find the one order_no out of a hundred. */
const MOST_QUERIES = 20;

/**
 * Asks the gateway about orders (at most 100, §8), in one query. One that it refuses is asked again in halves, since one
 * order_no that it does not take must not hide the others' payments. Gives each order's answer.
 */
export async function askOrders(
  context: Context,
  account: Account,
  orderNos: readonly string[],
): Promise<(orderNo: string) => Asked> {
  const answers = new Map<string, Asked>();
  const groups = [orderNos];
  let queries = 0;
  for (let group = groups.shift(); group; group = groups.shift()) {
    const asked = await queryOrders(context, account, group);
    queries += 1;
    const isRefused = !asked.counts && asked.why === 'query_refused';
    if (isRefused && group.length > 1 && queries + groups.length + 2 <= MOST_QUERIES) {
      const middle = Math.ceil(group.length / 2);
      groups.push(group.slice(0, middle), group.slice(middle));
    } else {
      for (const orderNo of group) answers.set(orderNo, asked);
    }
  }
  return (orderNo) => answers.get(orderNo) ?? { counts: false, why: 'query_unanswered' };
}

async function queryOrders(context: Context, account: Account, orderNos: readonly string[]): Promise<Asked> {
  const { profile } = context.config.gateway;
  const called = await context.call('query', account, { orders: orderNos.join(profile.list_separator) });
  if (called.kind === 'refused') return { counts: false, why: 'query_refused' };
  if (called.kind !== 'answer') return { counts: false, why: 'query_unanswered' };
  const answer = queryAnswer.parse(called.message);
  if (answer.merchant_id !== account.merchant_id || answer.account_id !== account.account_id) {
    return { counts: false, why: 'query_unanswered' };
  }
  return profile.codes.return_status.success.includes(answer.return_status ?? '')
    ? { counts: true, records: answer.orders_list ?? [] }
    : { counts: false, why: 'query_refused' };
}
