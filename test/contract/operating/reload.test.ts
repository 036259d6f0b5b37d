import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { approval, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { account, apiKey, card, order } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';
import { testsAll } from '../../support/tests-all.ts';
import { until } from '../../support/time/until.ts';

const RELOADED = 'configuration reloaded';
const REFUSED = 'configuration not reloaded; the previous one stays in use';

const newKey = 'a-new-key-for-tests';
const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

function accountsWith(...keys: string[]): object[] {
  const api_keys = keys.map((key, at) => ({ name: `key-${at}`, sha256: sha256(key), scopes: ['*'] }));
  const { merchant_id, account_id, signingSecret: signing_secret } = account;
  return [
    { id: 'demo', merchant_id, account_id, signing_secret, allowed_origins: ['http://127.0.0.1:8082'], api_keys },
  ];
}

/** A relay whose gateway answers a payment when the test lets it. */
async function setUp(config: object = {}) {
  const answers: (() => void)[] = [];
  const gateway = await scriptedGateway((received, res) => {
    answers.push(() => sendXml(res, signedXml(approval(received))));
  });
  const relay = spawnRelay({ gatewayUrl: gateway.url, config });
  const url = await relay.listening();
  const send = (path: string, key: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sessions = async (key: string) => (await send('/v1/sessions', key, { order: order() })).status;
  /** Sends SIGHUP and waits for its line. */
  const reload = async (message: string): Promise<Record<string, unknown> | undefined> => {
    const before = relay.lines(message).length;
    relay.child.kill('SIGHUP');
    await until(message, () => relay.lines(message).length > before);
    return relay.lines(message).at(-1);
  };
  const metric = async (line: string) => (await (await fetch(`${url}/metrics`)).text()).includes(line);
  return { relay, url, answers, gateway, send, sessions, reload, metric };
}

it('exchanges the keys, and requests in progress end', async () => {
  const { relay, answers, send, sessions, reload, metric } = await setUp();
  const paying = send('/v1/payments', apiKey, { ...order(), ...card });
  await until('the gateway has the payment', () => answers.length === 1);
  relay.configure({ accounts: accountsWith(newKey) });
  await reload(RELOADED);
  expect([await sessions(apiKey), await sessions(newKey)]).toEqual([401, 201]);
  answers[0]?.();
  expect(await (await paying).json()).toMatchObject({ status: 'approved' });
  expect(await metric('turnpike_config_reload_successful 1')).toBe(true);
});

// The rehearsal `rotation` does the same under load.
it.runIf(testsAll)('loses no request of clients that send continuously', async () => {
  const { relay, sessions, reload } = await setUp();
  const told = { isOver: false, statuses: new Set<number>() };
  const clients = Array.from({ length: 4 }, async () => {
    while (!told.isOver) told.statuses.add(await sessions(apiKey));
  });
  for (const keys of [[apiKey, newKey], [apiKey], [newKey, apiKey]]) {
    relay.configure({ accounts: accountsWith(...keys) });
    await reload(RELOADED);
  }
  told.isOver = true;
  await Promise.all(clients);
  expect(told.statuses).toEqual(new Set([201]));
});

it('lets a slow receiver take a webhook, and sends it once', async () => {
  const ids: string[] = [];
  const answers: (() => void)[] = [];
  const receiver = await serve((req, res) => {
    ids.push(String(req.headers['webhook-id']));
    answers.push(() => void res.end());
  });
  onTestFinished(receiver.close);
  const {
    relay,
    answers: payments,
    send,
    reload,
  } = await setUp({
    webhooks: { allow_private: true },
    accounts: accountsWith(apiKey).map((one) => ({ ...one, webhook: { url: receiver.url, secrets: [webhookSecret] } })),
  });
  const paying = send('/v1/payments', apiKey, { ...order(), ...card });
  await until('the gateway has the payment', () => payments.length === 1);
  payments[0]?.();
  await paying;
  await until('the receiver has it', () => ids.length === 1);
  await reload(RELOADED);
  // Longer than a stop gives it.
  await new Promise((done) => setTimeout(done, 1500));
  answers[0]?.();
  await until('it is delivered', () => relay.lines('webhook delivered').length === 1);
  expect(new Set(ids).size).toBe(ids.length);
});

it('ends the console of a removed person, keeps others signed in', async () => {
  const people = ['ada', 'bob'].map((name) => ({ name, scopes: ['*'], accounts: ['demo'] }));
  const settings = (names: object[]) => ({ console: { trust_header: 'X-User', people: names } });
  const { relay, url, reload } = await setUp({ trust_proxy: ['127.0.0.1'], ...settings(people) });
  const signIn = async (name: string) => {
    const { headers } = await fetch(`${url}/console/api/me`, { headers: { 'x-user': name } });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return (path: string, accept = '*/*') =>
      fetch(`${url}/console/api/${path}`, { headers: { 'x-user': name, cookie, accept } });
  };
  const [ada, bob] = [await signIn('ada'), await signIn('bob')];
  const streams = await Promise.all([ada, bob].map((ask) => ask('demo/live', 'text/event-stream')));
  expect(streams.map(({ headers }) => headers.get('content-type'))).toEqual(
    Array(2).fill(expect.stringContaining('text/event-stream')),
  );
  relay.configure(settings(people.slice(1)));
  await reload(RELOADED);
  // Each stream ends: the page connects again, if it still may.
  await Promise.all(streams.map((stream) => stream.text()));
  expect((await ada('demo/live')).status).toBe(401);
  expect(await (await bob('demo/v1/orders')).json()).toMatchObject({ orders: [] });
});

it('keeps the old configuration if the new one is wrong', async () => {
  const { relay, sessions, reload, metric } = await setUp();
  relay.configure({ accounts: accountsWith(newKey), colour: 'red', retention_days: 0 });
  const line = await reload(REFUSED);
  expect(line).toMatchObject({ level: 'error', error: 'ConfigError', code: 'config_invalid' });
  expect(line?.problems).toEqual([expect.stringMatching(/^retention_days: /), 'colour: there is no such setting']);
  expect([await sessions(apiKey), await sessions(newKey)]).toEqual([201, 401]);
  expect(await metric('turnpike_config_reload_successful 0')).toBe(true);
});

it.each([
  ['listen', { listen: { port: 1 } }],
  ['store', { store: 'postgres://turnpike@127.0.0.1/other' }],
])('refuses another %s', async (path, config) => {
  const { relay, sessions, reload } = await setUp();
  relay.configure(config);
  expect((await reload(REFUSED))?.problems).toEqual([`${path}: cannot change while the relay runs: restart it`]);
  expect(await sessions(apiKey)).toBe(201);
});

it('refuses another console address, a first person, and no people', async () => {
  const person = { name: 'ada', scopes: ['*'], accounts: ['demo'] };
  const settings = (port: number, people: object[]) => ({
    trust_proxy: ['127.0.0.1'],
    console: { listen: { port }, people, trust_header: 'X-User' },
  });
  const { relay, reload } = await setUp(settings(0, [person]));
  const problemsOf = async (port: number, people: object[]) => {
    relay.configure(settings(port, people));
    return (await reload(REFUSED))?.problems;
  };
  const ofPeople = 'console.people: with console.listen the first person and the removal of the last need a restart';
  expect(await problemsOf(1, [person])).toEqual(['console.listen: cannot change while the relay runs: restart it']);
  expect(await problemsOf(0, [])).toEqual([ofPeople]);
  const { relay: without, reload: reloadIt } = await setUp(settings(0, []));
  without.configure(settings(0, [person]));
  expect((await reloadIt(REFUSED))?.problems).toEqual([ofPeople]);
});

it('stops cleanly after several reloads', async () => {
  const { relay, reload } = await setUp();
  for (const _time of [1, 2, 3]) await reload(RELOADED);
  relay.child.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
});

it('survives a SIGHUP during its start, and reloads after it', async () => {
  // It gets the signal as soon as it catches that.
  const early = `process.on('newListener', (name) => {
    if (name === 'SIGHUP') setImmediate(() => process.kill(process.pid, name));
  });`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(early)}`];
  const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9', nodeOptions });
  await until('it is reloaded', () => relay.lines(RELOADED).length > 0);
  expect(relay.lines('relay listening')).toHaveLength(1);
});

it('reloads nothing while it stops', async () => {
  const { relay, answers, send } = await setUp();
  const paying = send('/v1/payments', apiKey, { ...order(), ...card });
  await until('the gateway has the payment', () => answers.length === 1);
  relay.child.kill('SIGTERM');
  await until('it stops', () => relay.lines('relay stopping').length === 1);
  relay.child.kill('SIGHUP');
  answers[0]?.();
  expect((await paying).status).toBe(200);
  expect(await relay.exited).toBe(0);
  expect(relay.lines(RELOADED)).toEqual([]);
});
