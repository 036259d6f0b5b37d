import { expect, test } from 'vitest';
import { startGateway } from '../testing.ts';

async function withPayment(fields = {}) {
  const gateway = await startGateway({ now: () => new Date('2026-11-21T10:20:30Z') });
  const item = await gateway.pay(fields);
  const refunded = async (refund_amount: string, other = {}) => {
    const { refund_orders } = await gateway.ask('refund', { refund_orders: [{ ...item, refund_amount, ...other }] });
    return refund_orders;
  };
  return { ...gateway, item, refunded };
}

test('a refund is answered with every field of the table', async () => {
  const { item, ask } = await withPayment();
  const refund = { ...item, refund_amount: '29.90', refund_reason: 'Tin dented' };
  expect(await ask('refund', { refund_orders: [refund] })).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    return_status: '1',
    return_message: 'OK',
    encryption_data: expect.any(String),
    refund_orders: [
      {
        ...refund,
        refund_message: 'V0000:OK',
        refund_reference: '',
        refund_reference_id: `${item.transaction_id}-01`,
        refund_status: '1',
      },
    ],
  });
});

test('partial refunds, equal ones too, go on until nothing is left', async () => {
  const { item, refunded } = await withPayment();
  expect(await refunded('50.00')).toMatchObject([{ refund_status: '1' }]);
  expect(await refunded('50.00')).toMatchObject([
    { refund_status: '1', refund_reference_id: `${item.transaction_id}-02` },
  ]);
  expect(await refunded('29.91')).toMatchObject([
    {
      refund_status: '0',
      refund_message: 'V0009:The refund amount is more than what is left to refund',
      refund_reference_id: '',
    },
  ]);
  expect(await refunded('29.90')).toMatchObject([
    { refund_status: '1', refund_reference_id: `${item.transaction_id}-03` },
  ]);
  expect(await refunded('0.01')).toMatchObject([{ refund_status: '0' }]);
});

test('equal items in one batch are refunds of their own', async () => {
  const { item, ask } = await withPayment();
  const half = { ...item, refund_amount: '64.95' };
  expect(await ask('refund', { refund_orders: [half, half, half] })).toMatchObject({
    return_status: '1',
    refund_orders: [
      { refund_status: '1', refund_reference_id: `${item.transaction_id}-01` },
      { refund_status: '1', refund_reference_id: `${item.transaction_id}-02` },
      { refund_status: '0' },
    ],
  });
});

test('a refund captures an authorised payment first', async () => {
  const { item, ask, refunded } = await withPayment();
  await refunded('1.00');
  expect(await ask('capture', { capture_orders: [item] })).toMatchObject({
    capture_orders: [{ capture_status: '0', error_message: 'The payment is already captured' }],
  });
});

test('no more is refunded than was captured', async () => {
  const { item, ask, refunded } = await withPayment();
  await ask('capture', { capture_orders: [{ ...item, amount: '100.00' }] });
  expect(await refunded('100.01')).toMatchObject([{ refund_status: '0' }]);
  expect(await refunded('100.00')).toMatchObject([{ refund_status: '1' }]);
});

test.each([
  ['an amount that is not the original', '1.00', { amount: '129.91' }, 'V0004'],
  ['another currency', '1.00', { currency: 'USD' }, 'V0003'],
  ['another order', '1.00', { order_no: 'A-2' }, 'V0002'],
  ['a transaction that there is not', '1.00', { transaction_id: '7' }, 'V0001'],
  ['nothing', '0.00', {}, 'V0008'],
  ['more than the payment', '129.91', {}, 'V0009'],
])('a refund of %s is refused alone, and the other items succeed', async (_, refund_amount, other, code) => {
  const { item, ask, query } = await withPayment();
  const good = { ...item, refund_amount: '1.00' };
  expect(await ask('refund', { refund_orders: [{ ...item, refund_amount, ...other }, good] })).toMatchObject({
    return_status: '1',
    refund_orders: [
      { refund_status: '0', refund_message: expect.stringMatching(`^${code}:.+`), refund_reference_id: '' },
      { refund_status: '1', refund_message: 'V0000:OK', refund_reference_id: `${item.transaction_id}-01` },
    ],
  });
  expect(await query({ orders: 'A-1' })).toMatchObject({ orders_list: [{ payment_status: '3000' }] });
});

test('neither a declined nor a cancelled payment is refunded', async () => {
  const { item, ask, pay, refunded } = await withPayment();
  const declined = await pay({ order_no: 'A-2', card: '4000000000000002' });
  await ask('cancel', { cancel_orders: [item] });
  expect(await refunded('1.00')).toMatchObject([
    { refund_status: '0', refund_message: 'V0006:The payment was cancelled' },
  ]);
  expect(await refunded('1.00', declined)).toMatchObject([
    { refund_status: '0', refund_message: 'V0005:The payment was declined' },
  ]);
});

test('refunds are found by order, transaction and reference, combined', async () => {
  const { item, ask, pay, refunded } = await withPayment();
  const other = await pay({ order_no: 'A-2' });
  await refunded('10.00', { refund_reason: 'first' });
  await refunded('20.00', { refund_reason: 'second' });
  await refunded('30.00', { ...other, refund_reason: 'third' });
  const found = async (filters: Record<string, string>) => {
    const { refund_orders } = await ask('refund_search', filters);
    return JSON.stringify(refund_orders).match(/first|second|third/g) ?? [];
  };
  const { transaction_id = '' } = item;
  expect(await found({ refund_orders: 'A-1' })).toEqual(['first', 'second']);
  expect(await found({ refund_orders: transaction_id })).toEqual(['first', 'second']);
  expect(await found({ refund_orders: `A-2,${transaction_id}` })).toEqual(['first', 'second', 'third']);
  expect(await found({ refund_references: `${transaction_id}-02` })).toEqual(['second']);
  expect(await found({ merchant_refunds: `${other.transaction_id}-01` })).toEqual(['third']);
  expect(await found({ refund_orders: 'A-1', refund_references: `${other.transaction_id}-01` })).toEqual([]);
  expect(await found({ refund_orders: 'missing' })).toEqual([]);
});

test('a refund that was refused is found by no search', async () => {
  const { ask, refunded } = await withPayment();
  await refunded('129.91');
  expect(await ask('refund_search', { refund_orders: 'A-1' })).toMatchObject({ return_status: '1', refund_orders: [] });
});

test('a search returns every field of the table', async () => {
  const { item, ask, refunded } = await withPayment();
  await refunded('10.00', { refund_reason: 'Too green' });
  expect(await ask('refund_search', { refund_orders: 'A-1' })).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    return_status: '1',
    return_message: 'OK',
    encryption_data: expect.any(String),
    refund_orders: [
      {
        ...item,
        refund_status: '1',
        payment_status: '3000',
        refund_amount: '10.00',
        refund_reference: '',
        refund_reason: 'Too green',
        refund_reference_id: `${item.transaction_id}-01`,
        refund_date: '20261121102030',
        refund_processing_date: '20261121102030',
      },
    ],
  });
});

test('a pending refund has no processing date, and counts as refunded', async () => {
  const { ask, refunded } = await withPayment({ order_no: 'A-1-fault:refund_pending' });
  expect(await refunded('100.00')).toMatchObject([{ refund_status: '1' }]);
  expect(await ask('refund_search', { refund_orders: 'A-1-fault:refund_pending' })).toMatchObject({
    refund_orders: [{ refund_status: '1', refund_date: '20261121102030', refund_processing_date: '' }],
  });
  expect(await refunded('29.91')).toMatchObject([{ refund_status: '0' }]);
});

test('a search without any list is refused', async () => {
  const { ask } = await withPayment();
  expect(await ask('refund_search', { refund_orders: '' })).toMatchObject({ return_status: '0', refund_orders: [] });
});

test.each(['refund_orders', 'refund_references', 'merchant_refunds'])(
  'a hundred %s may be searched for, and not one more',
  async (list) => {
    const { ask } = await startGateway();
    const names = (length: number) => Array.from({ length }, (_, at) => `R-${at}`).join(',');
    expect(await ask('refund_search', { [list]: names(100) })).toMatchObject({ return_status: '1' });
    expect(await ask('refund_search', { [list]: names(101) })).toMatchObject({
      return_status: '0',
      return_message: `At most 100 ${list} in one query`,
    });
  },
);
