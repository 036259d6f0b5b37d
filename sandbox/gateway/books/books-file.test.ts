import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../gateway.ts';
import { cardPayment, DAY, elements, pixPayment, startGateway } from '../testing.ts';
import { snapshot } from './snapshot.ts';

/** Starts gateways one after the other, each with the books of the one before it. */
function withFile() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-books-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const booksFile = join(folder, 'data', 'sandbox.json');
  return { booksFile, start: () => startGateway({ booksFile }) };
}

type Started = Awaited<ReturnType<typeof startGateway>>;
const booksOf = async ({ admin }: Started) => (await admin('GET', 'books')).body;

test('a gateway that is started again has the same books', async () => {
  const { start } = withFile();
  const first = await start();
  const item = await first.pay();
  await first.ask('capture', { capture_orders: [{ ...item, amount: '100.00' }] });
  await first.ask('refund', { refund_orders: [{ ...item, refund_amount: '10.00' }] });
  const numbers = ['4000000000009235', '4000000000006199', '4000000000000002', '4000000000006215'];
  for (const [at, card] of numbers.entries()) await first.pay({ card, order_no: `B-${at}` });
  const charged = await first.pay({ order_no: 'C-1' });
  await first.admin('POST', `payments/${charged.transaction_id}/charge_back`);
  await first.authorise(cardPayment({ order_no: 'S-1', subscription: { contract_name: 'Tea', interval: 'week' } }));
  const { issuer_url = '' } = await elements(await first.authorise(pixPayment({ return_url: undefined })));
  const payout = { payment_amount: '5', payment_currency: 'BRL', beneficiary_id: 'B-1', reference: 'sandbox:pending' };
  await first.ask('payout', { request_id: '7b0c2d1e-0f7a-4c58-9d3e-5a1f6b2c3d4e', ...payout });
  const before = await booksOf(first);
  first.closeBooks();

  const again = await start();
  expect(await booksOf(again)).toEqual(before);
  expect(await again.ask('refund', { refund_orders: [{ ...item, refund_amount: '10.00' }] })).toMatchObject({
    refund_orders: [{ refund_reference_id: `${item.transaction_id}-02` }],
  });
  await again.admin('POST', `payments/${charged.transaction_id}/reverse`);
  expect((await again.query({ orders: 'C-1' })).orders_list).toMatchObject([{ payment_status: '3000' }]);
  const issuer = issuer_url.replace(/^.+\/issuer\/start/, `${again.url}/issuer`);
  expect((await fetch(issuer, { method: 'POST', body: new URLSearchParams({ choice: 'approve' }) })).status).toBe(200);
  expect((await again.query({ orders: 'P-1' })).orders_list).toMatchObject([{ payment_status: '3000' }]);
});

test('runs what falls due after a restart', async () => {
  const { start } = withFile();
  const first = await start();
  first.clock.advance(100 * DAY);
  await first.pay({ order_no: 'S-1', subscription: { contract_name: 'Tea', interval: 'day' } });
  await first.pay({ order_no: 'A-2', card: '4000000000006199' });
  const payout = { payment_amount: '5', payment_currency: 'BRL', beneficiary_id: 'B-1', reference: 'sandbox:pending' };
  await first.ask('payout', { request_id: '7b0c2d1e-0f7a-4c58-9d3e-5a1f6b2c3d4e', ...payout });
  const now = first.clock.now().getTime();
  first.closeBooks();

  const again = await start();
  expect(again.clock.now().getTime() - now).toBeLessThan(60_000);
  expect(again.clock.now().getTime()).toBeGreaterThanOrEqual(now);
  again.clock.advance(8 * DAY);
  const numbers = again.payments.list().map(({ order }) => order.order_no);
  expect(numbers.filter((number) => number.startsWith('S-1-R'))).toHaveLength(8);
  expect((await again.query({ orders: 'A-2' })).orders_list).toMatchObject([
    { decline_reason: 'The authorisation expired' },
  ]);
  expect(again.books.payouts.list()).toMatchObject([{ state: { status: 'COMPLETED' } }]);
});

test('each change is in the file soon, which only its owner reads', async () => {
  const { start, booksFile } = withFile();
  const gateway = await start();
  await gateway.pay({ order_no: 'A-7' });
  const orders = () => {
    try {
      return snapshot.parse(JSON.parse(readFileSync(booksFile, 'utf8'))).payments.map(({ order }) => order.order_no);
    } catch {
      return 'no file';
    }
  };
  await expect.poll(orders).toEqual(['A-7']);
  expect(statSync(booksFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(booksFile, 'utf8')).not.toContain('4111111111111111');
});

test('a file that cannot be read is no books, and left alone', async () => {
  const { booksFile, start } = withFile();
  (await start()).closeBooks();
  await expect(async () => readFileSync(booksFile)).rejects.toThrow('ENOENT');
  const folder = join(booksFile, '..', '..');
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"version":1,"payments":[{}]}');
  const gateway = createGateway({ merchants: [], publicUrl: () => '', booksFile: broken });
  expect(gateway.payments.list()).toEqual([]);
  gateway.closeBooks();
  expect(readFileSync(broken, 'utf8')).toBe('{"version":1,"payments":[{}]}');
});
