import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { cli, jsonLines, startCli } from '../../support/operators/cli.ts';
import { apiKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';
import { until } from '../../support/time/until.ts';

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };

/** A relay with a paid order `B-1` of 10.00 BRL and the command for the relay. */
async function setUp() {
  const relay = await startRelayAndGateway();
  const order = { order_no: 'B-1', amount: '10.00', currency: 'BRL' };
  const { body } = await relay.post('/v1/payments', apiKey, { ...order, ...card });
  expect(body.status).toBe('approved');
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  return { relay, env, turnpike: (...args: string[]) => cli(args, { env }) };
}

/** The same, with a refund of 4.00 BRL. */
async function setUpRefunded() {
  const shop = await setUp();
  const refunded = await shop.turnpike('refund', 'B-1', '--amount', '4.00', '--yes');
  expect(refunded.code, refunded.err).toBe(0);
  return shop;
}

/** The cells of the rows of a list, without its heading. */
const rows = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

describe('an account, on the command line', () => {
  it('lists operations, and those that wait for a person', async () => {
    const shop = await setUpRefunded();
    const { code, out } = await shop.turnpike('operations', 'list', '--operation', 'refund');
    expect(code).toBe(0);
    expect(rows(out)).toEqual([
      [expect.stringMatching(/^op_/), 'refund', 'answered', '1 succeeded', 'all', expect.any(String)],
    ]);
    const none = await shop.turnpike('operations', 'list', '--needs-attention');
    expect(none).toEqual({ code: 0, out: 'OPERATION\tDOES\tSTATUS\tITEMS\tBY\tCREATED\n', err: '' });
  });

  it('lists who requested what', async () => {
    const shop = await setUpRefunded();
    const { out } = await shop.turnpike('audit', '--order-no', 'B-1');
    expect(rows(out).map(([, by, action]) => [by, action])).toEqual([
      ['all', 'refund'],
      ['all', 'payment'],
    ]);
    expect(jsonLines((await shop.turnpike('audit', '--limit', '1', '--json')).out)).toMatchObject([
      { action: 'refund' },
    ]);
  });

  it('adds up payments and refunds by day', async () => {
    const shop = await setUpRefunded();
    const { out } = await shop.turnpike('stats', '--from', '1d');
    const all = rows(out);
    expect(all.at(-1)).toEqual(['total', '1', '1', '0', '100.0 %', '10.00 BRL', '6.00 BRL', '4.00 BRL']);
    const [json] = jsonLines((await shop.turnpike('stats', '--by', 'hour', '--json')).out);
    expect(json).toMatchObject({ by: 'hour', total: { payments: 1 } });
    expect(await shop.turnpike('stats', '--by', 'week')).toMatchObject({ code: 2 });
  });

  it('shows the meaning of codes', async () => {
    const shop = await setUp();
    const { out } = await shop.turnpike('profile');
    expect(out).toMatch(/^time zone +\S+\n[\s\S]*payment_status approved +\d+/);
  });

  it('shows the relay, and the name and scopes of the key', async () => {
    const shop = await setUp();
    const { out } = await shop.turnpike('whoami');
    expect(out).toContain(
      `relay     ${shop.relay.url}\nkey from  TURNPIKE_API_KEY\nkey       all\naccount   demo (Demo Shop)\nscopes    *\n`,
    );
    const weak = await cli(['whoami', '--json'], { env: { ...shop.env, TURNPIKE_API_KEY: queryOnlyKey } });
    expect(jsonLines(weak.out)).toMatchObject([{ url: shop.relay.url, name: 'query', scopes: ['query'] }]);
    expect(weak.out).not.toContain(queryOnlyKey);
    const unknown = await cli(['whoami'], { env: { ...shop.env, TURNPIKE_API_KEY: 'no-key' } });
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') });
  });

  it('sends any request of the API', async () => {
    const shop = await setUp();
    const got = await shop.turnpike('get', '/v1/orders?limit=1', '--json');
    expect(jsonLines(got.out)).toMatchObject([{ orders: [{ order_no: 'B-1' }] }]);
    const posted = await shop.turnpike('post', '/v1/query', '--data', '{"orders":["B-1"]}');
    expect(JSON.parse(posted.out)).toMatchObject({ orders_list: [{ order_no: 'B-1' }] });
    const refused = await shop.turnpike('post', '/v1/query', '--data', '{"order":["B-1"]}');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('invalid_request') });
    expect(await shop.turnpike('get', 'v1/orders')).toMatchObject({
      code: 2,
      err: expect.stringContaining('begin with /'),
    });
    expect(await shop.turnpike('post', '/v1/query', '--data', '{')).toMatchObject({ code: 2 });
  });

  it('prints new events until Ctrl-C', async () => {
    const shop = await setUp();
    const tail = startCli(['logs', 'tail', '--since', '1h', '--events', 'session.approved'], { env: shop.env });
    onTestFinished(async () => {
      tail.interrupt();
      await tail.ended;
    });
    await until('the event is printed', () => tail.out().includes('\n'));
    expect(tail.out()).toMatch(/^\S+Z {2}session\.approved {2}cs_\S+ {2}order B-1 {2}msg_\S+ {2}\w.*\n$/);
    tail.interrupt();
    expect(await tail.ended).toMatchObject({ code: 0 });
  });

  it('prints requests of API keys, too', async () => {
    const shop = await setUp();
    const tail = startCli(['logs', 'tail', '--since', '1h', '--requests'], { env: shop.env });
    onTestFinished(async () => {
      tail.interrupt();
      await tail.ended;
    });
    await until('the request is printed', () => tail.out().includes('\n'));
    expect(tail.out()).toMatch(/^\S+Z {2}200 {2}POST \/v1\/payments {2}all {2}\d+ ms {2}req_\S+\n/);
    await shop.relay.get('/v1/orders/none', apiKey);
    await until('the refusal is printed', () => tail.out().includes('  404  GET /v1/orders/none  not_found  all  '));
    tail.interrupt();
    expect(await tail.ended).toMatchObject({ code: 0 });
    expect(await shop.turnpike('logs', 'tail', '--requests', '--events', 'session.paid')).toMatchObject({ code: 2 });
  });
});

describe('turnpike logs tail', () => {
  it('says why there may be no requests', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9', config: { request_log_days: 0 } });
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    const tail = startCli(['logs', 'tail', '--since', '1h', '--requests'], { env });
    await until('the reason is printed', () => tail.err().includes('request_log_days'));
    tail.interrupt();
    expect(await tail.ended).toMatchObject({ code: 0, out: '' });
  });
});

describe('turnpike attention', () => {
  it('names each case and the command that shows it', async () => {
    const gateway = await scriptedGateway((_, res) => void res.destroy());
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    expect(await cli(['attention'], { env })).toMatchObject({
      code: 0,
      out: 'KIND\tABOUT\tAMOUNT\tWHY\tSINCE\tNEXT\n',
    });
    const capture_orders = [{ transaction_id: 'T1', currency: 'BRL', amount: '10.00' }];
    const captured = await cli(['post', '/v1/capture', '--data', JSON.stringify({ capture_orders })], { env });
    expect(captured.code).toBe(3);
    const [, id] = /(op_[\w-]+)/.exec(captured.err) ?? [];
    const [[kind, about, amount, , , next] = []] = rows((await cli(['attention'], { env })).out);
    expect([kind, about, amount, next]).toEqual([
      'operation_unknown',
      id,
      '10.00 BRL',
      `turnpike operations get ${id}`,
    ]);
    expect(rows((await cli(['operations', 'list', '--needs-attention'], { env })).out)[0]?.[0]).toBe(id);
  });
});

describe('turnpike sessions', () => {
  it('changes the order of a checkout, and withdraws it', async () => {
    const { turnpike } = await setUp();
    const opened = await turnpike('sessions', 'create', '--order-no', 'B-3', '--amount', '5.00', '--currency', 'BRL');
    const [, id = ''] = /^session +(\S+)/.exec(opened.out) ?? [];
    const changed = await turnpike('sessions', 'update', id, '--amount', '7.50');
    expect(changed).toMatchObject({ code: 0, out: expect.stringMatching(/amount +7\.50 BRL/) });
    expect(changed.out).not.toContain('checkout_url');
    expect(await turnpike('sessions', 'expire', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Withdraw'),
    });
    const expired = await turnpike('sessions', 'expire', id, '--yes');
    expect(expired).toMatchObject({ code: 0, out: expect.stringMatching(/status +expired/) });
    expect(await turnpike('sessions', 'update', id, '--amount', '8.00')).toMatchObject({ code: 1 });
  });
});

describe('turnpike open', () => {
  it.each([
    [[], '/console'],
    [['docs'], '/docs'],
    [['order', 'A/1'], '/console/orders/A%2F1'],
    [['order', 'A-1', '--account', 'demo'], '/console/demo/orders/A-1'],
  ])('opens %j', async (args, path) => {
    const opened: string[] = [];
    const io = { openInBrowser: async (url: string) => void opened.push(url) };
    const url = 'https://pay.example';
    const ended = await cli(['open', ...args, '--url', `${url}/`], { io, isTerminal: true });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`${url}${path}\n`) });
    expect(opened).toEqual([`${url}${path}`]);
  });

  it('opens nothing from a script', async () => {
    const io = { openInBrowser: () => Promise.reject(new Error('opened')) };
    expect(await cli(['open', '--url', 'https://pay.example'], { io })).toMatchObject({ code: 0 });
    expect(await cli(['open', 'order', '--url', 'https://pay.example'], { io })).toMatchObject({ code: 2 });
  });
});
