import { describe, expect, it } from 'vitest';
import { cli, jsonLines, startCli } from '../../test/support/operators/cli.ts';
import { problemReply, type Reply, scriptedKey, scriptedRelay } from '../../test/support/operators/scripted-relay.ts';

const at = '2026-11-21T12:00:00.000Z';
const paid = {
  ...{ transaction_id: 'T-1', amount: '129.90', currency: 'BRL', session_id: 'cs_1', proof: 'answer' },
  ...{ status: 'partially_refunded', paid_at: at, credited: true, captured: '0.00', capturable: '129.90' },
  ...{ refunded: '20.00', refund_undecided: '0.00', refundable: '109.90', order_no: 'A-1', operations: [] },
};

/** An order that was paid by these payments. */
function order(...payments: object[]): Reply {
  const refunds = { refunded: '20.00', refund_undecided: '0.00', refundable: '109.90' };
  const money = { amount: '129.90', currency: 'BRL', captured: '0.00', ...refunds };
  const detail = {
    order_no: 'A-1',
    status: 'paid',
    created_at: at,
    needs_attention: false,
    sessions: [],
    timeline: [],
  };
  return { status: 200, body: { ...detail, ...money, payments } };
}

/** An order whose payment is pending, such as one that is held for review. */
const underWay = ((): Reply => {
  const price = { amount: '129.90', currency: 'BRL' };
  const attempt = { id: 'at_1', status: 'pending', method: 'card', ...price, started_at: at, transaction_id: 'T-5' };
  const session = {
    id: 'cs_1',
    status: 'pending',
    order_no: 'A-1',
    ...price,
    revision: 1,
    created_at: at,
    expires_at: at,
  };
  const money = {
    ...price,
    captured: '0.00',
    refunded: '0.00',
    refund_undecided: '0.00',
    refundable: '0.00',
    payments: [],
    timeline: [],
  };
  const detail = { order_no: 'A-1', status: 'unknown', created_at: at, needs_attention: false, ...money };
  return { status: 200, body: { ...detail, sessions: [{ ...session, attempts: [attempt] }] } };
})();

const noOrder: Reply = { status: 200, body: { orders: [] } };

const answered: Reply = { status: 200, headers: { 'x-operation-id': 'op_1' }, body: { refund_orders: [] } };

/** The relay's record of a refund: the gateway's answer, and its meaning. */
function operation(outcome: string, refund_message: string): Reply {
  const result = { refund_status: '1', refund_message, refund_reference_id: 'T-1-01' };
  const known = { answer: { refund_orders: [result] }, items: [outcome], request: {} };
  return {
    status: 200,
    body: { id: 'op_1', operation: 'refund', status: 'answered', created_at: at, by: 'server', ...known },
  };
}

type Run = { args?: string[]; answers?: string[] };

async function run(command: string, replies: [Reply, ...Reply[]], { args = [], answers }: Run = {}) {
  const relay = await scriptedRelay(...replies);
  const ended = await cli([...command.split(' '), ...args, '--url', relay.url], {
    env: { TURNPIKE_API_KEY: scriptedKey },
    io: { wait: async () => undefined },
    ...(answers ? { answers } : {}),
  });
  const posted = relay.asked.filter(({ method }) => method === 'POST');
  return { ...ended, posted, bodies: posted.map(({ body }): unknown => JSON.parse(body)) };
}

describe('turnpike refund', () => {
  it('shows what is refundable, asks, and refunds all of it', async () => {
    const replies: [Reply, ...Reply[]] = [order(paid), answered, operation('succeeded', 'V0000:OK')];
    const { code, out, err, posted, bodies } = await run('refund A-1', replies, { answers: ['y'] });
    expect(err).toContain('109.90 refundable. Refund 109.90 BRL? [y/N]');
    expect({ code, paths: posted.map(({ path }) => path) }).toEqual({ code: 0, paths: ['/v1/refund'] });
    const item = { transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '109.90' };
    expect(bodies).toEqual([{ refund_orders: [item] }]);
    expect(out).toMatch(/outcome +succeeded\nrefund +T-1-01\namount +109.90 BRL[\s\S]+message +V0000:OK/);
  });

  it.each<[outcome: string, code: number, says: RegExp]>([
    ['succeeded', 0, /^$/],
    ['failed', 1, /did not do it/],
    ['unknown', 3, /turnpike operations settle op_1/],
  ])('goes by what the relay reads, here %s, not by codes', async (outcome, code, says) => {
    const replies: [Reply, ...Reply[]] = [order(paid), answered, operation(outcome, 'V0000:OK')];
    const ended = await run('refund A-1 --yes', replies);
    expect(ended).toMatchObject({ code, err: expect.stringMatching(says) });
    const [json] = jsonLines((await run('--json refund A-1 --yes', replies)).out);
    expect(json).toMatchObject({ operation_id: 'op_1', outcome, result: { refund_message: 'V0000:OK' } });
  });

  it.each<[string, string, Reply, Run, number, RegExp]>([
    ['the answer is no', 'refund A-1', order(paid), { answers: ['n'] }, 1, /Nothing was sent/],
    ['no question can be asked', 'refund A-1', order(paid), {}, 2, /Give --yes/],
    ['--no-input forbids to ask', '--no-input refund A-1', order(paid), { answers: ['y'] }, 2, /Give --yes/],
    ['more is asked than is left', 'refund A-1 --amount 110 --yes', order(paid), {}, 1, /T-1 has 109\.90 BRL left/],
    ['nothing is left', 'refund A-1 --yes', order({ ...paid, refundable: '0.00' }), {}, 1, /T-1 has 0\.00 BRL left/],
    ['nothing was paid', 'refund A-1 --yes', order(), {}, 1, /turnpike orders get A-1/],
    [
      'the amount is none',
      'refund A-1 --amount 0 --yes',
      order(paid),
      {},
      2,
      /refund_amount: must be .* more than zero/,
    ],
    ['no order is named', 'refund --yes', order(paid), {}, 2, /Name an order/],
    ['the payment is another order’s', 'refund A-1 --transaction T-9', order(paid), {}, 2, /no payment of order A-1/],
    ['no order has the transaction', 'refund --transaction T-8', noOrder, {}, 1, /turnpike query --trades T-8/],
    ['the payment is still under way', 'refund A-1 --yes', underWay, {}, 1, /knows of no payment/],
    ['a key comes without amount', 'refund A-1 --yes --idempotency-key k', order(paid), {}, 2, /needs --amount/],
  ])('sends nothing where %s', async (_, command, reply, how, code, says) => {
    const ended = await run(command, [reply], how);
    expect(ended).toMatchObject({ code, out: '', posted: [], err: expect.stringMatching(says) });
  });

  it('lets the person choose between several payments', async () => {
    const both = order(paid, { ...paid, transaction_id: 'T-2', amount: '5.00', refundable: '5.00' });
    const { code, err, posted } = await run('refund A-1 --yes', [both]);
    expect({ code, posted }).toEqual({ code: 2, posted: [] });
    expect(err).toContain('--transaction: T-1 (129.90 BRL, 109.90 refundable), T-2 (5.00 BRL, 5.00 refundable)');
    const chosen = await run('refund A-1 --yes --transaction T-2', [both, answered, operation('succeeded', '')]);
    expect(chosen.bodies).toMatchObject([{ refund_orders: [{ transaction_id: 'T-2', refund_amount: '5.00' }] }]);
  });

  it('says how to repeat a request whose answer is lost', async () => {
    const { code, err, posted } = await run('--json refund A-1 --yes', [order(paid), 'drop']);
    const key = String(posted[0]?.headers['idempotency-key']);
    expect(new Set(posted.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([key]));
    const hint = `Repeat the command with --transaction T-1 --amount 109.90 --idempotency-key ${key}: it is done once only.`;
    expect(jsonLines(err)).toEqual([
      { error: { code: 'relay_unreachable', message: expect.any(String), hint, idempotency_key: key } },
    ]);
    expect(code).toBe(3);
  });

  it('waits at Ctrl-C for the answer, and prints the key', async () => {
    const relay = await scriptedRelay(order(paid), answered, operation('succeeded', 'V0000:OK'));
    const running = startCli(['refund', 'A-1', '--yes', '--url', relay.url], {
      env: { TURNPIKE_API_KEY: scriptedKey },
      io: {
        fetch: (url, init) => {
          if (init.method === 'POST') running.interrupt();
          return fetch(url, init);
        },
      },
    });
    const { code, out, err } = await running.ended;
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') });
    const key = relay.asked.find(({ method }) => method === 'POST')?.headers['idempotency-key'];
    expect(err).toContain(`--transaction T-1 --amount 109.90 --idempotency-key ${key}: it is done once only.`);
  });

  it('never says that nothing happened when a try was lost', async () => {
    const { code, err } = await run('refund A-1 --yes', [order(paid), 'drop', problemReply('store_unavailable')]);
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('--idempotency-key') });
  });

  it.each<[string, [Reply, ...Reply[]]]>([
    ['the operation is not named', [order(paid), { status: 200, body: { refund_orders: [] } }]],
    ['the operation cannot be read', [order(paid), answered, problemReply('missing_scope')]],
  ])('does not know the outcome where %s', async (_, replies) => {
    expect(await run('refund A-1 --yes', replies)).toMatchObject({ code: 3, out: '' });
  });

  it('names the operation of an outcome that is unknown', async () => {
    const unknown = problemReply('outcome_unknown', { operation_id: 'op_7' });
    const { code, err } = await run('refund A-1 --yes', [order(paid), unknown]);
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('turnpike operations get op_7') });
  });

  it('reads the outcome if a repetition gets no new answer', async () => {
    const settled = problemReply('operation_settled', { operation_id: 'op_1' });
    const replies: [Reply, ...Reply[]] = [order(paid), settled, operation('succeeded', 'V0000:OK')];
    const { code, out } = await run('refund A-1 --yes --amount 5.00 --idempotency-key k', replies);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/repeated +yes/) });
  });
});

describe('turnpike capture, cancel and review', () => {
  const item = { transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '129.90' };

  it.each<[string, object]>([
    [
      'capture A-1 --amount 100.0 --reference c-1',
      { capture_orders: [{ ...item, amount: '100.00' }], references: ['c-1'] },
    ],
    ['capture A-1', { capture_orders: [item] }],
    ['cancel A-1', { cancel_orders: [item] }],
    ['review A-1 --accept', { review_orders: [{ ...item, review_flag: 'ACCEPT' }] }],
    ['review A-1 --reject', { review_orders: [{ ...item, review_flag: 'REJECT' }] }],
    ['review A-1 --flag 7', { review_orders: [{ ...item, review_flag: '7' }] }],
  ])('%s sends one item', async (command, body) => {
    const { bodies } = await run(`${command} --yes`, [order(paid), answered, operation('succeeded', '')]);
    expect(bodies).toEqual([body]);
  });

  it('captures the whole rest if no amount is given', async () => {
    const part = order({ ...paid, captured: '100.00', capturable: '29.90' });
    const { bodies } = await run('capture A-1 --yes', [part, answered, operation('succeeded', '')]);
    expect(bodies).toEqual([{ capture_orders: [{ ...item, amount: '29.90' }] }]);
  });

  it('captures with a key only if an amount is given', async () => {
    const ended = await run('capture A-1 --yes --idempotency-key k', [order(paid)]);
    expect(ended).toMatchObject({ code: 2, posted: [], err: expect.stringContaining('needs --amount') });
  });

  it.each(['refund A-1', 'refund A-1 --amount 5.00', 'capture A-1', 'cancel A-1'])(
    '%s prints the relay’s reason of a refusal',
    async (command) => {
      const over = order({ ...paid, status: 'cancelled', capturable: '0.00', refundable: '0.00' });
      const refused = problemReply('payment_cancelled', { detail: 'This payment is cancelled.' });
      const { code, out, err, posted } = await run(`${command} --yes`, [over, refused]);
      expect({ code, out, posted: posted.length }).toEqual({ code: 1, out: '', posted: 1 });
      expect(err).toContain('This payment is cancelled.');
    },
  );

  it('names what another operation must wait for', async () => {
    const errors = [{ path: 'cancel_orders.0.transaction_id', message: 'waits for op_7' }];
    const refused = problemReply('operation_undecided', { operation_ids: ['op_7'], errors });
    const { code, err } = await run('cancel A-1 --yes', [order(paid), refused]);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/op_7[\s\S]*operations get/) });
  });

  it.each(['capture A-1', 'cancel A-1', 'review A-1 --reject'])('%s finds a payment under way', async (command) => {
    const { bodies } = await run(`${command} --yes`, [underWay, answered, operation('succeeded', '')]);
    expect(JSON.stringify(bodies)).toContain('"transaction_id":"T-5"');
  });

  it('names the currency of what was captured of the order', async () => {
    const { err } = await run('capture A-1', [order({ ...paid, currency: 'EUR' })], { answers: ['n'] });
    expect(err).toContain('129.90 EUR: 0.00 BRL captured of the order. Capture 129.90 EUR?');
  });

  it.each(['review A-1 --yes', 'review A-1 --yes --accept --reject'])('%s wants one decision', async (command) => {
    expect(await run(command, [order(paid)])).toMatchObject({ code: 2, posted: [] });
  });
});
