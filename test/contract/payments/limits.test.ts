import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approval, type Script, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import {
  type Answer,
  apiKey,
  card,
  order,
  otherAccountKey,
  startTestRelay,
  type TestRelay,
} from '../../support/relays/relay.ts';

const pans = ['4111111111111111', '5555555555554444', '4000001234567899', '4012888888881881'];
const [pan = ''] = pans;
const plenty = {
  attempts_per_session: 100,
  attempts_per_ip_per_hour: 100,
  attempts_per_card_per_hour: 100,
  attempts_per_account_per_minute: 100,
};

/** Card testing: no payment is approved, and the attacker tries again. */
const declining: Script = (received, res) =>
  sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Do not honour' }));

/** One attempt to pay: its shopper and its card. */
type Try = { ip?: string; card?: string; token_id?: string };

async function setUp(limits: Partial<typeof plenty>, config: Record<string, unknown> = {}) {
  const clock = { ms: Date.parse('2026-11-21T12:00:00.500Z') };
  const gateway = await scriptedGateway(declining);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const start = () =>
    startTestRelay({
      gatewayUrl: gateway.url,
      folder,
      now: () => new Date(clock.ms),
      config: { trust_proxy: ['127.0.0.1'], limits: { ...plenty, ...limits }, ...config },
    });
  return { clock, gateway, start, relay: await start() };
}

const savedCards = ['tok-1', 'tok-2'].map((token_id) => {
  return { token_id, brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' };
});

/** An attempt in a session of its own. */
async function tryToPay(relay: TestRelay, { ip = '203.0.113.9', ...given }: Try = {}) {
  const { secret, id } = await relay.session({ saved_cards: savedCards });
  const { token_id } = given;
  const body = token_id === undefined ? { ...card, card: given.card ?? pan } : { token_id, security_code: '737' };
  const answer = await relay.post('/checkout/api/pay', secret, body, { 'x-forwarded-for': ip });
  return { id, secret, answer };
}

const isDeclined = { status: 200, body: { status: 'declined' } };

async function expectLimited(relay: TestRelay, { id, answer }: { id: string; answer: Answer }): Promise<number> {
  expect(answer).toMatchObject({ status: 429, body: { status: 429, code: 'too_many_attempts' } });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [] });
  const seconds = Number(answer.headers.get('retry-after'));
  expect(Number.isInteger(seconds) && seconds > 0).toBe(true);
  return seconds;
}

const counted = async (relay: TestRelay, limit: string): Promise<number> => {
  const text = await relay.context.metrics.registry.metrics();
  return Number(new RegExp(`^turnpike_limited_total\\{limit="${limit}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
};

/** For each limit: an attempt that it counts, and one that it does not. */
const cases = {
  address: {
    limits: { attempts_per_ip_per_hour: 3 },
    same: pans.map((one) => ({ ip: '198.51.100.7', card: one })),
    other: { ip: '198.51.100.8' },
    label: 'ip',
    window: 3600,
  },
  'network of an IPv6 address': {
    limits: { attempts_per_ip_per_hour: 3 },
    same: ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::2', '2001:db8:1:2:0:1:2:3', '2001:db8:1:2::4'].map((ip) => ({ ip })),
    other: { ip: '2001:db8:1:3::1' },
    label: 'ip',
    window: 3600,
  },
  'address, however it is written': {
    limits: { attempts_per_ip_per_hour: 3 },
    same: ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:c633:6407', '198.51.100.7'].map((ip) => ({ ip })),
    other: { ip: '::ffff:198.51.100.8' },
    label: 'ip',
    window: 3600,
  },
  'address, with a port or none': {
    limits: { attempts_per_ip_per_hour: 3 },
    same: ['198.51.100.7:51234', '198.51.100.7', '198.51.100.7:80, 127.0.0.1:443', '198.51.100.7:1'].map((ip) => ({
      ip,
    })),
    other: { ip: '198.51.100.8:51234' },
    label: 'ip',
    window: 3600,
  },
  'address that is none': {
    limits: { attempts_per_ip_per_hour: 3 },
    same: ['unknown', '_hidden', 'shop.example:80', '203.0.113.7, unknown'].map((ip) => ({ ip })),
    other: { ip: '[2001:db8::7]:51234' },
    label: 'ip',
    window: 3600,
  },
  card: {
    limits: { attempts_per_card_per_hour: 3 },
    same: [1, 2, 3, 4].map((n) => ({ ip: `198.51.100.${n}`, card: pan })),
    other: { card: '5555555555554444' },
    label: 'card',
    window: 3600,
  },
  'saved card': {
    limits: { attempts_per_card_per_hour: 3 },
    same: [1, 2, 3, 4].map((n) => ({ ip: `198.51.100.${n}`, token_id: 'tok-1' })),
    other: { token_id: 'tok-2' },
    label: 'card',
    window: 3600,
  },
  account: {
    limits: { attempts_per_account_per_minute: 3 },
    same: pans.map((one, n) => ({ ip: `198.51.100.${n}`, card: one })),
    other: undefined,
    label: 'account',
    window: 60,
  },
};

describe.each(Object.entries(cases))('attempts by the same %s', (_, { limits, same, other, label, window }) => {
  it('are limited, and the refusal has the correct Retry-After', async () => {
    const { clock, gateway, relay } = await setUp(limits);
    for (const one of same.slice(0, 3)) {
      expect((await tryToPay(relay, one)).answer).toMatchObject(isDeclined);
      clock.ms += 1700;
    }
    const refused = await tryToPay(relay, same[3]);
    const seconds = await expectLimited(relay, refused);
    expect(seconds).toBe(Math.ceil(window - 3 * 1.7));
    expect(gateway.authorised()).toHaveLength(3);
    expect(await counted(relay, label)).toBe(1);
    if (other) expect((await tryToPay(relay, other)).answer).toMatchObject(isDeclined);

    clock.ms += (seconds - 1) * 1000;
    await expectLimited(relay, await tryToPay(relay, same[3]));
    expect(await counted(relay, label)).toBe(2);
    clock.ms += 1000;
    expect((await tryToPay(relay, same[3])).answer).toMatchObject(isDeclined);
    // The window slides: the second of the three still counts.
    await expectLimited(relay, await tryToPay(relay, same[0]));
  });

  it('are counted across all relays on one store, after restarts too', async () => {
    const { gateway, relay, start } = await setUp(limits);
    const second = await start();
    const answers = await Promise.all(
      [...same, ...same].map((one, n) => tryToPay(n % 2 === 0 ? relay : second, one).then(({ answer }) => answer)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    await second.stop();
    await expectLimited(relay, await tryToPay(await start(), same[0]));
    expect(gateway.authorised()).toHaveLength(3);
  });
});

describe('limits of attempts', () => {
  it('apply to payments by server and form together', async () => {
    const { relay, gateway } = await setUp({ attempts_per_card_per_hour: 2, attempts_per_ip_per_hour: 3 });
    const payment = (given: object): Promise<Answer> =>
      relay.post('/v1/payments', apiKey, { ...order(), ...card, shopper_ip: '203.0.113.9', ...given });
    expect((await tryToPay(relay)).answer).toMatchObject(isDeclined);
    expect((await payment({})).body).toMatchObject({ status: 'declined' });
    expect(await payment({})).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect((await payment({ card: pans[1] })).body).toMatchObject({ status: 'declined' });
    const refused = await payment({ card: pans[2] });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(gateway.authorised()).toHaveLength(3);
  });

  it('allow a later retry under the same Idempotency-Key', async () => {
    const { clock, relay } = await setUp({ attempts_per_card_per_hour: 1 });
    const key = { 'idempotency-key': 'once' };
    await tryToPay(relay);
    const body = { ...order(), ...card };
    expect(await relay.post('/v1/payments', apiKey, body, key)).toMatchObject({ status: 429 });
    clock.ms += 3_600_000;
    expect(await relay.post('/v1/payments', apiKey, body, key)).toMatchObject({
      status: 200,
      body: { status: 'declined' },
    });
  });

  it('accept X-Forwarded-For only from a trusted proxy', async () => {
    const { relay } = await setUp({ attempts_per_ip_per_hour: 2 }, { trust_proxy: [] });
    for (const ip of ['198.51.100.1', '198.51.100.2']) {
      expect((await tryToPay(relay, { ip })).answer).toMatchObject(isDeclined);
    }
    await expectLimited(relay, await tryToPay(relay, { ip: '198.51.100.3' }));

    const behindProxy = await setUp({ attempts_per_ip_per_hour: 2 });
    for (const n of [1, 2]) {
      // The address from the shopper's browser precedes the address that the proxy adds.
      const ip = `10.0.0.${n}, 198.51.100.1`;
      expect((await tryToPay(behindProxy.relay, { ip })).answer).toMatchObject(isDeclined);
    }
    await expectLimited(behindProxy.relay, await tryToPay(behindProxy.relay, { ip: '10.0.0.3, 198.51.100.1' }));
  });

  it('end a session after its own number of attempts', async () => {
    const { relay, gateway } = await setUp({ attempts_per_session: 3 });
    const { secret, id } = await relay.session();
    for (const left of [2, 1, 0]) {
      expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'declined', attempts_left: left });
    }
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409 });
    expect(await relay.truth(id)).toMatchObject({ status: 'failed' });
    expect(await counted(relay, 'session')).toBe(1);
    expect(gateway.authorised()).toHaveLength(3);
  });

  it('refuse an open session with more attempts than now allowed', async () => {
    const { relay, gateway, clock } = await setUp({ attempts_per_session: 5 });
    const { secret, id } = await relay.session();
    await relay.pay(secret, card);
    await relay.pay(secret, card);
    const stricter = await startTestRelay({
      gatewayUrl: gateway.url,
      folder: relay.folder,
      now: () => new Date(clock.ms),
      config: { limits: { ...plenty, attempts_per_session: 2 } },
    });
    expect(await stricter.pay(secret, card)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(await stricter.truth(id)).toMatchObject({ status: 'open' });
    expect(await counted(stricter, 'session')).toBe(1);
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('count a card per account and never store its number', async () => {
    const { relay } = await setUp({ attempts_per_card_per_hour: 1 });
    expect((await tryToPay(relay)).answer).toMatchObject(isDeclined);
    await expectLimited(relay, await tryToPay(relay));
    const body = { ...order(), ...card };
    const elsewhere = await relay.post('/v1/payments', otherAccountKey, body);
    expect(elsewhere.status).not.toBe(429);

    const bytes = relay.files().join('');
    expect(bytes).toContain('cs_');
    expect(bytes).not.toContain(pan);
    expect([...relay.logLines, ...relay.answers].filter((text) => text.includes(pan))).toEqual([]);
  });
});
