import { describe, expect, it } from 'vitest';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };

/** A relay with three paid orders, and the command for it. */
async function setUp() {
  const relay = await startRelayAndGateway();
  for (const [order_no, amount] of [
    ['B-1', '10.00'],
    ['B-2', '20.00'],
    ['C-1', '30.00'],
  ]) {
    const paid = await relay.post('/v1/payments', apiKey, { order_no, amount, currency: 'BRL', ...card });
    expect(paid.body.status).toBe('approved');
  }
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey, NO_COLOR: '1' };
  return (args: readonly string[], isTerminal = false) => cli(args, { env, isTerminal });
}

describe('turnpike orders', () => {
  it('lists the filtered orders, one JSON object a line', async () => {
    const turnpike = await setUp();
    const { code, out, err } = await turnpike(['orders', 'list', '--order-no', 'B-', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(jsonLines(out)).toMatchObject([{ order_no: 'B-2' }, { order_no: 'B-1', status: 'paid', amount: '10.00' }]);
  });

  it('lists at most the requested number, tab-separated into a pipe', async () => {
    const turnpike = await setUp();
    const { out } = await turnpike(['orders', 'list', '--limit', '2']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('ORDER\tSTATUS\tAMOUNT\tMETHOD\tCARD\tTRANSACTION\tCREATED');
    expect(lines[1]).toMatch(/^C-1\tpaid\t30\.00 BRL\tcard\t411111\*{6}1111\t\d+\t\d{4}-/);
  });

  it('lists a table on a terminal, and reports an empty list', async () => {
    const turnpike = await setUp();
    const found = await turnpike(['orders', 'list', '--amount', '20.00', '--currency', 'BRL'], true);
    expect(found.out).toMatch(/ORDER +STATUS +AMOUNT[^\n]*\n+B-2 +paid +20\.00 BRL/);
    const nothing = await turnpike(['orders', 'list', '--status', 'open'], true);
    expect(nothing).toEqual({ code: 0, out: '', err: 'Nothing found.\n' });
  });

  it('shows an order with its amounts and its timeline', async () => {
    const turnpike = await setUp();
    const { code, out } = await turnpike(['orders', 'get', 'B-1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^order +B-1\n[\s\S]*refundable +10\.00 BRL\n[\s\S]*attempt \S+: approved/);
    const [order] = jsonLines((await turnpike(['orders', 'get', 'B-1', '--json'])).out);
    expect(order).toMatchObject({ order_no: 'B-1', refundable: '10.00', timeline: expect.any(Array) });
  });

  it('queries the gateway about one order now, and shows it', async () => {
    const turnpike = await setUp();
    const { code, out } = await turnpike(['orders', 'reconcile', 'B-1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^order +B-1\n[\s\S]*query +answered by the gateway\n/);
    const [order] = jsonLines((await turnpike(['orders', 'reconcile', 'B-1', '--json'])).out);
    expect(order).toMatchObject({ order_no: 'B-1', status: 'paid', last_query: { counted: true } });
    expect(await turnpike(['orders', 'reconcile', 'X-1'])).toMatchObject({ code: 1, out: '' });
  });

  it('ends with 1 for an order that the relay does not know', async () => {
    const turnpike = await setUp();
    expect(await turnpike(['orders', 'get', 'X-1'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('not_found'),
    });
  });
});
