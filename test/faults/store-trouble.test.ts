import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../relay/base/errors.ts';
import { sandboxGateway } from '../support/gateways/sandbox-gateway.ts';
import { approval, approving, scriptedGateway, sendXml, signedXml } from '../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay, testConfig } from '../support/relays/relay.ts';
import { until } from '../support/time/until.ts';

/** Another process, for example a backup, that holds a write lock on the store's file. */
function locker(folder: string) {
  const other = new DatabaseSync(join(folder, 'turnpike.db'));
  onTestFinished(() => other.close());
  return { lock: () => other.exec('BEGIN IMMEDIATE'), release: () => other.exec('ROLLBACK') };
}

describe('while another process keeps the SQLite file locked', () => {
  it('payments are refused unsent, the relay is not ready, and nothing blocks', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const session = await relay.session();
    const file = locker(relay.folder);
    file.lock();
    const refused = [
      relay.pay(session.secret, card),
      relay.post('/v1/payments', apiKey, { ...order(), ...card }),
      relay.post('/v1/refund', apiKey, refund()),
      relay.get('/readyz'),
    ];
    let ended = 0;
    for (const answer of refused) answer.finally(() => ended++);
    expect((await relay.get('/healthz')).status).toBe(200);
    expect((await relay.truth(session.id)).status).toBe('open');
    expect(ended).toBe(0);

    const [paid, paidByServer, refunded, ready] = await Promise.all(refused);
    for (const answer of [paid, paidByServer, refunded]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    }
    expect(ready?.status).toBe(503);
    // A refund's payment may be queried; no message that moves money is sent.
    expect([...gateway.authorised(), ...gateway.sent('/v1/refund')]).toEqual([]);

    file.release();
    expect((await relay.get('/readyz')).status).toBe(200);
    expect((await relay.truth(session.id)).attempts).toEqual([]);
    expect((await relay.pay(session.secret, card)).body.status).toBe('approved');
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('a short lock only delays a payment', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const session = await relay.session();
    const file = locker(relay.folder);
    file.lock();
    const paying = relay.pay(session.secret, card);
    await new Promise((done) => setTimeout(done, 300));
    file.release();
    expect((await paying).body.status).toBe('approved');
  });

  it('an outcome stays “unknown” until the store accepts it', async () => {
    const paid: string[] = [];
    const gateway = await scriptedGateway((received, res, req) => {
      if (received.path !== '/v1/authorise') return approving(received, res, req);
      file.lock();
      paid.push(String(received.message.order_no));
      sendXml(res, signedXml(approval(received)));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const file = locker(relay.folder);
    const session = await relay.session();
    expect((await relay.pay(session.secret, card)).body.status).toBe('unknown');
    expect((await relay.truth(session.id)).status).toBe('processing');
    file.release();
    expect((await relay.pay(session.secret, card)).status).toBe(409);
    expect(paid).toHaveLength(1);
  });
});

describe('when the disk is full', () => {
  it('payments are refused unsent on a full disk, and accepted again afterwards', async () => {
    const gateway = await scriptedGateway(approving);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const relay = await relayWithSmallFiles({ gatewayUrl: gateway.url, folder });
    const pay = (body: object) => relay.post('/v1/payments', { ...body, ...card });
    const approved: string[] = [];
    let refused: { status: number; body: Record<string, unknown> } | undefined;
    let last = '';
    for (let tries = 0; tries < 500 && refused?.status !== 503; tries++) {
      const one = { ...order(), note: 'x'.repeat(1000) };
      last = one.order_no;
      refused = await pay(one);
      if (refused.body.status === 'approved') approved.push(one.order_no);
    }
    expect(refused).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    await until('the relay is not ready', async () => (await relay.status('/readyz')) === 503);
    expect(await relay.status('/healthz')).toBe(200);
    const sent = gateway.authorised().map(({ message }) => String(message.order_no));
    expect(sent).not.toContain(last);

    await relay.makeRoom();
    await until('the relay is ready again', async () => (await relay.status('/readyz')) === 200);
    expect((await pay({ ...order(), order_no: last })).body.status).toBe('approved');
    for (const order_no of approved.slice(-3)) {
      expect((await pay({ ...order(), order_no })).body.code).toBe('order_already_paid');
    }
  });
});

describe('when the store does not confirm a write', () => {
  const key = { 'idempotency-key': 'once' };

  /** Makes the next write of this kind fail after its effect. */
  function loseNext<Name extends string>(
    methods: Record<Name, (...args: never[]) => Promise<unknown>>,
    name: Name,
  ): void {
    const write = methods[name];
    const losing = async (...args: never[]): Promise<never> => {
      Object.assign(methods, { [name]: write });
      await write(...args);
      throw new StoreError('lost while it committed');
    };
    Object.assign(methods, { [name]: losing });
  }

  it('a payment is not sent, and its repetition is made once', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const body = { ...order(), ...card };
    const pay = () => relay.post('/v1/payments', apiKey, body, key);
    loseNext(relay.context.store.orders, 'write');
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    expect(gateway.authorised()).toEqual([]);
    await expect.poll(async () => (await pay()).body.status).toBe('approved');
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('a refund is not sent, and its repetition is made once', async () => {
    const gateway = await sandboxGateway();
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const one = order();
    const paid = await relay.post('/v1/payments', apiKey, { ...one, ...card });
    const item = { ...one, transaction_id: paid.body.transaction_id, refund_amount: one.amount };
    const refundAll = () => relay.post('/v1/refund', apiKey, { refund_orders: [item] }, key);
    loseNext(relay.context.store.operations, 'begin');
    expect(await refundAll()).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    await expect.poll(async () => (await refundAll()).status).toBe(200);
    const { operations } = (await relay.get('/v1/operations?operation=refund', apiKey)).body;
    expect(operations).toMatchObject([{ status: 'answered' }, { status: 'not_sent' }]);
    expect((await relay.get(`/v1/orders/${one.order_no}`, apiKey)).body).toMatchObject({ refunded: one.amount });
  });
});

function refund(): object {
  return { refund_orders: [{ ...order(), transaction_id: '00012345678901234567', refund_amount: '1.00' }] };
}

/** A relay whose files may not exceed 600 KB: the kernel refuses larger writes, as on a full disk. */
async function relayWithSmallFiles(options: { gatewayUrl: string; folder: string }) {
  const plan = { config: testConfig(options) };
  const script = join(import.meta.dirname, 'kills/killable-relay.ts');
  const limited = `trap '' XFSZ; ulimit -S -f 600; exec "$0" "$1"`;
  const child = spawn('bash', ['-c', limited, process.execPath, script], {
    env: { ...process.env, KILLABLE_RELAY: JSON.stringify(plan) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ url }] = await once(child, 'message');
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const read: Record<string, unknown> = JSON.parse(await answer.text());
    return { status: answer.status, body: read };
  };
  return {
    post,
    status: async (path: string) => (await fetch(`${url}${path}`)).status,
    makeRoom: async () => {
      const [code] = await once(spawn('prlimit', ['--fsize=unlimited:', '--pid', String(child.pid)]), 'exit');
      if (code !== 0) throw new Error('prlimit did not run');
    },
  };
}
