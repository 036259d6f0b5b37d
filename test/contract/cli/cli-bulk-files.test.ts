import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

/** A relay with an order `A-1` of 1234.50 BRL that is paid, and the command with a file. */
async function setUp() {
  const relay = await startRelayAndGateway();
  const order = { order_no: 'A-1', amount: '1234.50', currency: 'BRL' };
  const { body } = await relay.post('/v1/payments', apiKey, { ...order, ...card });
  expect(body.status).toBe('approved');
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bulk-files-'));
  const bulk = async (operation: string, text: string, ...args: string[]) => {
    writeFileSync(join(folder, 'rows.csv'), text);
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    return cli(['bulk', operation, join(folder, 'rows.csv'), '--json', ...args], { env });
  };
  const results = () => readFileSync(join(folder, 'rows.results.csv'), 'utf8').trimEnd().split('\n');
  const refunded = async () => (await relay.get('/v1/orders/A-1', apiKey)).body.refunded;
  return { relay, transaction: String(body.transaction_id), bulk, results, refunded };
}

describe('turnpike bulk, with files of other programs', () => {
  it('takes orders, further columns and decimal commas', async () => {
    const { bulk, results, refunded, transaction } = await setUp();
    const rows = 'Customer;Order No;Refund Amount\nAda;A-1;1.000,25\n';
    const { code, out, err } = await bulk('refund', rows, '--decimal', ',', '--yes');
    expect({ code, summary: jsonLines(out)[0] }, err).toMatchObject({ code: 0, summary: { succeeded: 1 } });
    expect(await refunded()).toBe('1000.25');
    expect(results()[0]).toBe('Customer;Order No;Refund Amount;outcome;message;operation_id;reference');
    expect(results()[1]).toMatch(/^Ada;A-1;1\.000,25;succeeded;;op_[\w-]+;csv-/);
    // The same row by its transaction is the same row, and so are the results themselves.
    const same = `transaction_id,order_no,currency,amount,refund_amount\n${transaction},A-1,BRL,1234.50,1000.25\n`;
    expect(jsonLines((await bulk('refund', same, '--yes')).out)).toMatchObject([{ succeeded: 1 }]);
    expect((await bulk('refund', `${results().join('\n')}\n`, '--yes')).code).toBe(0);
    expect(await refunded()).toBe('1000.25');
  });

  it('takes the relay’s own file of orders', async () => {
    const { bulk, relay } = await setUp();
    const answer = await fetch(`${relay.url}/v1/orders?format=csv`, { headers: { Authorization: `Bearer ${apiKey}` } });
    const { code, out, err } = await bulk('cancel', await answer.text(), '--yes');
    expect({ code, summary: jsonLines(out)[0] }, err).toMatchObject({ code: 0, summary: { rows: 1, succeeded: 1 } });
  });

  it.each([
    ['order_no,refund_amount\nA-1,"1,00"\n', 'line 2, refund_amount', /decimal comma.*--decimal/],
    ['order_no,refund_amount\nA-1,1.000\n', 'line 2, refund_amount', /more decimals than BRL.*--decimal ,/],
    ['order_no,refund_amount\nA-9,1.00\n', 'line 2, order_no', /has no payment/],
    ['order_no,refund_amount\n6.63929E+19,1.00\n', 'line 2, order_no', /rounded by a spreadsheet/],
    [
      'transaction_id,currency,amount,refund_amount\n"6,63929E+19",BRL,9.00,1.00\n',
      'line 2, transaction_id',
      /rounded/,
    ],
  ])('refuses a file: %j', async (rows, path, says) => {
    const { bulk, refunded } = await setUp();
    const { code, err } = await bulk('refund', rows, '--yes');
    expect(code).toBe(2);
    expect(jsonLines(err).at(-1)).toMatchObject({
      error: { errors: [{ path, message: expect.stringMatching(says) }] },
    });
    expect(await refunded()).toBe('0.00');
  });

  it('asks with --dry-run what the payments permit', async () => {
    const { bulk, refunded } = await setUp();
    const row = (amount: string) => `A-1,${amount}\n`;
    const heading = 'order_no,refund_amount\n';
    expect(await bulk('refund', `${heading}${row('1234.50')}`, '--dry-run')).toMatchObject({ code: 0 });
    const { code, err } = await bulk('refund', `${heading}${row('1000.00')}${row('234.51')}`, '--dry-run');
    expect(code).toBe(2);
    const message = expect.stringContaining('1234.50 BRL is refundable; the file asks for 1234.51');
    expect(jsonLines(err).at(-1)).toMatchObject({ error: { errors: [{ path: 'line 3, refund_amount', message }] } });
    expect(await refunded()).toBe('0.00');
  });
});
