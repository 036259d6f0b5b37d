import type { OperationAnswer } from '../../shared/api/operation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { payeeOf, payoutSum } from '../parts/payout.tsx';
import { Code, Foreign, money } from '../parts/text.tsx';

/** What an operation's items ask for; one that is no batch is one item itself. */
export function itemsOf({ request }: OperationAnswer): Record<string, unknown>[] {
  const list = Object.values(request).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.filter(isObject) : [request];
}

/** What an item moves, and of which order. */
export function ItemText({ item }: { item: Record<string, unknown> }) {
  const { locale, words } = useApp();
  const { order_no, transaction_id, recurring_id, currency, refund_amount } = item;
  const { amount = refund_amount ?? item.amount, currency: of = currency } = payoutSum(item) ?? {};
  const payee = payeeOf(words, item);
  return (
    <>
      {typeof amount === 'string' && typeof of === 'string' && <strong>{money(locale, of, amount)}</strong>} {payee}
      {typeof order_no === 'string' && (
        <Link to={{ page: 'order', orderNo: order_no }}>
          <Foreign text={order_no} />
        </Link>
      )}{' '}
      {typeof transaction_id === 'string' && <Code text={transaction_id} />}
      {typeof recurring_id === 'string' && <Code text={recurring_id} />}
    </>
  );
}
