import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  approval,
  approving,
  drop,
  hang,
  inTurn,
  type Received,
  reset,
  type Script,
  scriptedGateway,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { sized } from '../../support/gateways/wire-answers.ts';
import { tcpServer } from '../../support/http/tcp-server.ts';
import { card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A poller that queries nothing during a test. */
const patient = { config: { resolve: { first_ms: 60_000, max_ms: 60_000 } } };

/** An approving answer on the wire that keeps the connection open. */
const approved = (received: Pick<Received, 'message'>): string => sized(signedXml(approval(received)));

const approve: Script = (received, _res, { socket }) => void socket.write(approved(received));

async function tcpPort(onConnection?: (socket: Socket) => void): Promise<number> {
  const server = await tcpServer(onConnection);
  onTestFinished(server.close);
  return server.port;
}

async function payOnce(relay: TestRelay) {
  const { secret, id } = await relay.session();
  return { id, secret, paid: await relay.pay(secret, card) };
}

describe('a payment is not sent, and its session stays open, when', () => {
  const unreachable: Record<string, () => Promise<string>> = {
    'no server listens': async () => 'http://127.0.0.1:9',
    'the gateway’s name has no address': async () => 'https://gateway.invalid',
    'the gateway speaks no TLS': async () => {
      const plain = await scriptedGateway(approving);
      return plain.url.replace('http:', 'https:');
    },
    'the gateway never ends its handshake': async () => `https://127.0.0.1:${await tcpPort()}`,
    'the gateway resets the handshake': async () => {
      return `https://127.0.0.1:${await tcpPort((socket) => socket.once('data', () => socket.resetAndDestroy()))}`;
    },
  };
  for (const [what, url] of Object.entries(unreachable)) {
    it(what, async () => {
      const relay = await startTestRelay({
        gatewayUrl: await url(),
        timeoutMs: 600,
        profile: { signing: { scheme: 'canonical' }, codes: {} },
      });
      const { id, secret, paid } = await payOnce(relay);
      expect(paid).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
      expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ status: 'not_sent' }] });
      expect(await relay.pay(secret, card)).toMatchObject({ status: 503 });
    });
  }
});

describe('a kept connection', () => {
  it('that closed while idle is replaced: the next payment is sent once', async () => {
    const gateway = await scriptedGateway((received, _res, { socket }) =>
      socket.write(approved(received), () => received.connection === 1 && socket.end()),
    );
    const relay = await startTestRelay({ gatewayUrl: gateway.url, ...patient });
    for (const connection of [1, 2]) {
      expect((await payOnce(relay)).paid.body).toMatchObject({ status: 'approved' });
      expect(gateway.authorised().at(-1)).toMatchObject({ connection });
      await pause(50);
    }
    expect(gateway.authorised()).toHaveLength(2);
  });

  for (const how of ['closes', 'resets'] as const) {
    it(`that the gateway ${how} leaves the next payment unknown, sent once`, async () => {
      const gateway = await scriptedGateway(inTurn(approve, how === 'closes' ? drop : reset));
      const relay = await startTestRelay({ gatewayUrl: gateway.url, ...patient });
      expect((await payOnce(relay)).paid.body).toMatchObject({ status: 'approved' });
      const { id, paid } = await payOnce(relay);
      expect(paid).toMatchObject({ status: 200, body: { status: 'unknown' } });
      expect(await relay.truth(id)).toMatchObject({ unknown: { reason: 'connection_lost' } });
      await pause(100);
      expect(gateway.authorised().map(({ connection }) => connection)).toEqual([1, 1]);
    });
  }

  it('with a second answer is never trusted for the next payment', async () => {
    const gateway = await scriptedGateway((received, _res, { socket }) => {
      socket.write(approved(received));
      // At the moment when the next payment may have been sent.
      if (gateway.authorised().length === 1) setTimeout(() => socket.write(approved(received)), 20);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, ...patient });
    await payOnce(relay);
    for (let n = 0; n < 3; n++) {
      await pause(10);
      const { secret, id, orderNo } = await relay.session();
      const { body } = await relay.pay(secret, card);
      if (body.status === 'approved') expect(body).toMatchObject({ order_no: orderNo });
      else expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
    }
    await expect.poll(() => gateway.authorised().length).toBe(4);
    const orders = gateway.authorised().map(({ message }) => message.order_no);
    expect(new Set(orders).size).toBe(4);
  });

  it('that starts with an unrequested answer pays nothing twice', async () => {
    const gateway = await scriptedGateway(approve, {
      onConnection: (socket) => socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 1000, ...patient });
    const { id, paid } = await payOnce(relay);
    expect([200, 503]).toContain(paid.status);
    expect(['unknown', 'open']).toContain((await relay.truth(id)).status);
    expect(gateway.authorised().length).toBeLessThanOrEqual(1);
  });
});

it('an answer that arrives before the request is complete counts', async () => {
  const order_no = `EARLY-${process.pid}`;
  const message = { order_no, account_id: '200001', merchant_id: '100001', amount: '129.90', currency: 'BRL' };
  const gateway = await scriptedGateway(hang, { onHead: ({ socket }) => socket.write(approved({ message })) });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, ...patient });
  const { secret } = await relay.session({ order: { order_no, note: 'n'.repeat(500) } });
  expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
});

it('each payment at a gateway that hangs has its own connection', async () => {
  const gateway = await scriptedGateway(hang);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 5000, ...patient });
  const sessions = await Promise.all(Array.from({ length: 30 }, () => relay.session()));
  let ended = 0;
  const paying = sessions.map(({ secret }) => relay.pay(secret, card).finally(() => ended++));
  await until('each was sent', () => gateway.authorised().length === sessions.length);
  expect(ended).toBe(0);
  const answers = await Promise.all(paying);
  expect(answers.map(({ body }) => body.status)).toEqual(sessions.map(() => 'unknown'));
  expect(new Set(gateway.authorised().map(({ connection }) => connection)).size).toBe(sessions.length);
});
