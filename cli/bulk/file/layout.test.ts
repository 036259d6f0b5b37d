import { expect, it } from 'vitest';
import { settleLayout } from '../settle/layout.ts';
import { batchLayout, bulkNames } from './layout.ts';

/** What the schema library says by itself. */
const OWN_WORDS = /Invalid|Too (big|small)|expected/i;

const right = {
  ...{ transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '9.00', refund_amount: '1.00' },
  ...{ refund_reason: 'broken', review_flag: '1', decision: 'approved', note: 'in the portal' },
};

it.each(bulkNames)('a file of %s is refused in the words of this page', (name) => {
  const layout = name === 'settle' ? settleLayout : batchLayout(name);
  const own = Object.fromEntries(Object.entries(right).filter(([column]) => layout.columns.includes(column)));
  expect(layout.read(own, undefined)).toMatchObject({ ok: true });
  const messages = layout.columns.flatMap((column) =>
    [undefined, '', ' ', '\u0000', 'x', '-1', '1e3', 'x'.repeat(5000)].flatMap((cell) => {
      const { [column]: _, ...others } = own;
      const read = layout.read(cell === undefined ? others : { ...others, [column]: cell }, '\u0000');
      return read.ok ? [] : read.problems.map(({ message }) => message);
    }),
  );
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((message) => OWN_WORDS.test(message))).toEqual([]);
});
