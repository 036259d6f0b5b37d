import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { bodyOf, type IncomingMessage, serve } from '../../test/support/http/http-server.ts';
import { webhookSecret } from '../../test/support/http/receiver.ts';
import { cli } from '../../test/support/operators/cli.ts';
import { processIo } from '../base/io.ts';
import { checkReceiver } from './check-receiver.ts';

const verify = (body: string, { headers }: IncomingMessage, secret = webhookSecret): void => {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  new Webhook(secret).verify(body, Object.fromEntries(texts));
};

/** A receiver that answers by what it got. */
async function receiver(answer: (req: IncomingMessage, body: string) => number) {
  const server = await serve(async (req, res) => {
    const body = await bodyOf(req);
    res.writeHead(answer(req, body), { location: '/elsewhere' }).end();
  });
  onTestFinished(server.close);
  return server.url;
}

const io = { ...processIo(), env: { TURNPIKE_WEBHOOK_SECRET: webhookSecret } };

/** The checks that a receiver does not pass, each with its advice. */
async function wrong(url: string, world = io) {
  const findings = await checkReceiver(world, { url, secret: webhookSecret });
  return Object.fromEntries(findings.flatMap(({ check, status, next }) => (status === 'ok' ? [] : [[check, next]])));
}

/** Answers as a receiver should, with a change. */
const verified =
  (isRight: (req: IncomingMessage, body: string) => void = (req, body) => verify(body, req)) =>
  (req: IncomingMessage, body: string): number => {
    try {
      isRight(req, body);
      return 204;
    } catch {
      return 401;
    }
  };

it('finds nothing wrong with a receiver that verifies', async () => {
  const findings = await checkReceiver(io, { url: await receiver(verified()), secret: webhookSecret });
  expect(findings.map(({ check, status, says }) => [check, status, says])).toEqual([
    ['reached', 'ok', 'it answers'],
    ['signed', 'ok', 'answers 204'],
    ['in time', 'ok', expect.stringMatching(/^answers in \d+ ms$/)],
    ['sent twice', 'ok', 'answers 204'],
    ['wrong secret', 'ok', 'answers 401'],
    ['old timestamp', 'ok', 'answers 401'],
    ['changed body', 'ok', 'answers 401'],
    ['no signature', 'ok', 'answers 401'],
  ]);
});

it('sends an event of an order that no shop has', async () => {
  const orders = new Set<string>();
  await wrong(
    await receiver((_req, body) => {
      orders.add(JSON.parse(body).data.order_no);
      return 204;
    }),
  );
  expect([...orders]).toEqual(['TURNPIKE-CHECK']);
});

it('finds a receiver that verifies nothing', async () => {
  expect(Object.keys(await wrong(await receiver(() => 200)))).toEqual([
    'wrong secret',
    'old timestamp',
    'changed body',
    'no signature',
  ]);
});

it('finds a receiver that takes old events', async () => {
  const anyAge = verified((req, body) => {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = req.headers;
    const signed = new Webhook(webhookSecret).sign(String(id), new Date(Number(time) * 1000), body);
    if (signed !== signature) throw new Error('wrong');
  });
  expect(await wrong(await receiver(anyAge))).toEqual({ 'old timestamp': expect.stringContaining('five minutes') });
});

it('finds a receiver that verifies what it read, not what it got', async () => {
  const reread = verified((req, body) => verify(JSON.stringify(JSON.parse(body)), req));
  expect(await wrong(await receiver(reread))).toEqual({ 'changed body': expect.stringContaining('bytes') });
});

it('finds a receiver with another secret', async () => {
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const url = await receiver(verified((req, body) => verify(body, req, other)));
  expect(await wrong(url)).toEqual({ signed: expect.stringContaining('same secret') });
});

it('finds a receiver that refuses an event when it comes again', async () => {
  const known = new Set<unknown>();
  const url = await receiver((req, body) => {
    const isNew = !known.has(req.headers['webhook-id']);
    const status = verified()(req, body);
    known.add(req.headers['webhook-id']);
    return status === 204 && !isNew ? 409 : status;
  });
  expect(await wrong(url)).toEqual({ 'sent twice': expect.stringContaining('2xx') });
});

it('finds a receiver that redirects', async () => {
  expect(await wrong(await receiver(() => 307))).toMatchObject({ signed: expect.stringContaining('redirects') });
});

it('finds a receiver that fails where it should refuse', async () => {
  const url = await receiver((req, body) => (verified()(req, body) === 204 ? 204 : 500));
  const refuse = 'Refuse it with 400 or 401.';
  const expected = { 'wrong secret': refuse, 'old timestamp': refuse, 'changed body': refuse, 'no signature': refuse };
  expect(await wrong(url)).toEqual(expected);
});

it('finds a receiver that answers too late', async () => {
  let late = 0;
  const url = await receiver((req, body) => {
    late = 12_000;
    return verified()(req, body);
  });
  const world = { ...io, now: () => new Date(Date.now() + late) };
  expect(await wrong(url, world)).toMatchObject({ 'in time': expect.stringContaining('waits 10 s') });
});

it('names the trouble where the receiver cannot be reached', async () => {
  const gone = await serve(() => undefined);
  await gone.close();
  expect(await wrong(gone.url)).toEqual({ reached: expect.stringContaining('Nothing listens') });
  const plain = await receiver(() => 200);
  expect(await wrong(plain.replace('http:', 'https:'))).toEqual({ reached: expect.stringContaining('TLS') });
});

it('prints what it found, and ends with 1 where something is wrong', async () => {
  const run = (url: string) => cli(['doctor', 'receiver', url], { env: { TURNPIKE_WEBHOOK_SECRET: webhookSecret } });
  expect(await run(await receiver(verified()))).toMatchObject({ code: 0, err: '' });
  const { code, out } = await run(await receiver(() => 200));
  expect(code).toBe(1);
  expect(out).toMatch(/^wrong +wrong secret +answers 200\n +It accepts forged events\./m);
});
