import { expect, it, onTestFinished } from 'vitest';
import { eventTypes } from '../../shared/api/webhook.ts';
import { serve } from '../../test/support/http/http-server.ts';
import { startReceiver, webhookSecret } from '../../test/support/http/receiver.ts';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';

const env = { TURNPIKE_WEBHOOK_SECRET: webhookSecret };

it.each(eventTypes)('sends a signed sample of %s, without a relay', async (type) => {
  const shop = await startReceiver();
  const before = Date.now();
  const { code, out } = await cli(['trigger', type, '--forward-to', shop.url], { env });
  expect(shop.received).toMatchObject([{ type, data: expect.any(Object) }]);
  const [webhook] = shop.received;
  expect(Date.parse(webhook?.timestamp ?? '')).toBeGreaterThanOrEqual(before);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`${type} ${webhook?.id} → 200`) });
});

it('changes the sample by its options, and prints JSON', async () => {
  const shop = await startReceiver();
  const sets = ['--set', 'data.amount=12.00', '--set', 'data.order_no=B-7'];
  const { code, out } = await cli(['trigger', 'session.approved', '--forward-to', shop.url, '--json', ...sets], {
    env,
  });
  expect(shop.received).toMatchObject([{ data: { amount: '12.00', order_no: 'B-7' } }]);
  expect({ code, lines: jsonLines(out) }).toMatchObject({ code: 0, lines: [{ delivered: true, status: 200 }] });
});

it.each([
  ['data.late=true', ''],
  ['data.status=lost', 'Warning: the relay sends no session.approved with such a value: data.status.\n'],
])('warns of values that no such event has: %s', async (set, says) => {
  const shop = await serve((_req, res) => res.writeHead(204).end());
  onTestFinished(shop.close);
  const { code, err } = await cli(['trigger', 'session.approved', '--forward-to', shop.url, '--set', set], { env });
  expect({ code, err }).toEqual({ code: 0, err: says });
});

it.each([
  [401, /same secret/],
  [404, /path/],
  [302, /redirect/],
  [503, /log/],
])('ends with 1 where the receiver answers %i, and says why', async (status, says) => {
  const shop = await serve((_req, res) => res.writeHead(status, { location: '/elsewhere' }).end());
  onTestFinished(shop.close);
  const { code, err } = await cli(['trigger', 'session.failed', '--forward-to', shop.url], { env });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(says) });
});

it('ends with 1 where no answer comes', async () => {
  const { close, url } = await serve(() => undefined);
  await close();
  const { code, out, err } = await cli(['trigger', 'session.failed', '--forward-to', url], { env });
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('ECONNREFUSED') });
  expect(err).toContain('Check --forward-to');
});

it('lists every event', async () => {
  const { code, out } = await cli(['trigger', '--list']);
  expect({ code, types: out.trim().split('\n').slice(1) }).toEqual({ code: 0, types: [...eventTypes] });
});

const approved = ['trigger', 'session.approved'];

it.each([
  [['trigger'], {}, /No event is named/],
  [['trigger', 'session.paid'], {}, /no event session\.paid/],
  [approved, {}, /Give --forward-to/],
  [[...approved, '--forward-to', 'ftp://x'], {}, /--forward-to: must be an http or https address/],
  [[...approved, '--forward-to', 'http://a:b@x'], {}, /--forward-to: must be/],
  [[...approved, '--forward-to', 'localhost:1'], {}, /Give --secret-file/],
  [[...approved, '--forward-to', 'localhost:1'], { TURNPIKE_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }, /24 to 64 bytes/],
  [[...approved, '--forward-to', 'localhost:1', '--set', 'amount'], env, /--set amount is not path=value/],
])('ends with 2 for wrong usage: %j', async (args, given, says) => {
  const { code, err } = await cli(args, { env: given });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) });
  expect(err).not.toContain('c2hvcnQ');
});

it('warns before customers’ data goes unencrypted to another machine', async () => {
  const io = { fetch: async () => new Response(null, { status: 204 }) };
  const warned = await cli([...approved, '--forward-to', 'http://shop.example/hooks'], { env, io });
  expect(warned.err).toContain('go to shop.example unencrypted');
  for (const url of ['https://shop.example/hooks', 'http://shop.localhost', 'http://[::1]:3000', '127.0.0.1:3000']) {
    expect((await cli([...approved, '--forward-to', url], { env, io })).err, url).toBe('');
  }
});
