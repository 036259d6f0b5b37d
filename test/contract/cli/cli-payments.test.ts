import { describe, expect, it } from 'vitest';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };

/** A relay with two payments, the command for it, and the id of the first payment. */
async function setUp() {
  const relay = await startRelayAndGateway();
  const pay = async (order_no: string, amount: string) => {
    const { body } = await relay.post('/v1/payments', apiKey, { order_no, amount, currency: 'BRL', ...card });
    expect(body.status).toBe('approved');
    return String(body.transaction_id);
  };
  const id = await pay('B-1', '10.00');
  await pay('B-2', '20.00');
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey, NO_COLOR: '1' };
  const turnpike = (args: readonly string[], answers?: readonly string[]) =>
    cli(args, { env, ...(answers ? { answers } : {}) });
  const refund = (amount: string) => relay.post('/v1/orders/B-1/refund', apiKey, { amount, reason: 'Broken' });
  return { turnpike, id, refund };
}

describe('turnpike payments', () => {
  it('lists the filtered payments', async () => {
    const { turnpike, id } = await setUp();
    const list = async (...args: string[]) => {
      const { code, out, err } = await turnpike(['payments', 'list', '--json', ...args]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return jsonLines(out);
    };
    expect(await list()).toMatchObject([{ order_no: 'B-2' }, { order_no: 'B-1', transaction_id: id }]);
    expect(await list('--limit', '1')).toMatchObject([{ order_no: 'B-2' }]);
    expect(await list('--order-no', 'B-1', '--status', 'paid', '--capturable')).toMatchObject([{ order_no: 'B-1' }]);
    expect(await list('--status', 'refunded', '--all')).toEqual([]);
    expect(await list('--recurring-id', 'R-none')).toEqual([]);
    expect(await list('--from', '1h', '--to', '2020-01-01')).toEqual([]);
    const { out } = await turnpike(['payments', 'list', '--limit', '1']);
    expect(out).toMatch(
      /^TRANSACTION\tORDER\tSTATUS\tAMOUNT\tCAPTURABLE\tREFUNDABLE\tMETHOD\tCARD\tPAID\n\d+\tB-2\tpaid\t/,
    );
  });

  it('shows a payment with its sums and operations', async () => {
    const { turnpike, id, refund } = await setUp();
    const { body } = await refund('4.00');
    const { code, out } = await turnpike(['payments', 'get', id]);
    expect(code).toBe(0);
    expect(out).toMatch(/^payment +\d+\norder +B-1\nstatus +partially_refunded\namount +10\.00 BRL\n/);
    expect(out).toMatch(/refunded +4\.00 BRL\nrefundable +6\.00 BRL\n/);
    expect(out).toMatch(new RegExp(`operation 1 +refund ${body.operation_id}, 4\\.00 BRL: succeeded\n`));
    expect(await turnpike(['payments', 'get', 'T-none'])).toMatchObject({
      ...{ code: 1, out: '', err: expect.stringContaining('not_found') },
    });
  });

  it('settles a payment after a confirmation', async () => {
    const { turnpike, id } = await setUp();
    const settle = ['payments', 'settle', id, '--outcome', 'reversed', '--note', 'Chargeback'];
    expect(await turnpike([...settle, '--no-input'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Payment ${id} of order B-1 is paid. Settle it as reversed?`),
    });
    const settled = await turnpike([...settle, '--yes']);
    expect(settled).toMatchObject({ code: 0, err: '' });
    expect(settled.out).toMatch(/status +reversed\n/);
    expect(settled.out).toMatch(/settled +as reversed by all at \S+: Chargeback\n/);
    expect(await turnpike(['payments', 'settle', id, '--outcome', 'paid', '--note', 'n', '--yes'])).toMatchObject({
      code: 2,
    });
  });
});
