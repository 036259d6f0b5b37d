import { amountOf, currencyOf, renewalOf } from '../orders.ts';
import type { World } from '../world.ts';
import type { Books } from './books.ts';

/** Makes the later charges of a contract. */
export function chargeLater({ clock }: World, books: Books): void {
  const begun = new Set<string>();
  books.onChange((first) => {
    const { contract, id, read, nameless } = first;
    // A payment without a record cannot be recognised as the contract's.
    if (!contract || nameless || first.status !== 'approved' || begun.has(id)) return;
    begun.add(id);
    // A wrong clock stays wrong; even a payment that is dated too late is a day before the later charges.
    const offset = Math.max(0, read - clock.now());
    for (const [nth, { after, amount }] of contract.later.entries()) {
      clock.at(clock.now() + after, () => {
        const { currency, notices, session } = first;
        // Every other charge has an order number of its own.
        const order_no = nth % 2 === 0 ? first.order_no : renewalOf(first.order_no);
        const own = { order_no, currency, notices, ...(session === undefined ? {} : { session }) };
        const sum = amount === undefined ? first.amount : amountOf(currencyOf(first.order_no), amount);
        const when = { dated: clock.now() + offset, visibleAt: clock.now() };
        books.add({ ...own, ...when, amount: sum, twice: false, laterOf: id }, [{ after: 0, status: 'approved' }]);
      });
    }
  });
}
