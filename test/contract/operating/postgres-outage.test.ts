import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { openStore } from '../../../relay/store/open.ts';
import { session } from '../../store/fixtures.ts';
import {
  approval,
  approving,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { card, startTestRelay } from '../../support/relays/relay.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';

const down = { status: 503, body: { code: 'store_unavailable' } };

describe('a relay whose PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  // Undoes whatever a test changed.
  beforeEach(() => postgres.start());
  afterAll(() => postgres?.close());

  async function setUp(script: Script = approving) {
    const gateway = await scriptedGateway(script);
    const store = await postgres.database();
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store } });
    return { gateway, relay, address: store };
  }

  it('is down refuses payments, and accepts them again afterwards', async () => {
    const { gateway, relay } = await setUp();
    const { secret } = await relay.session();
    expect((await relay.get('/readyz')).status).toBe(200);
    await postgres.stop();
    expect(await relay.pay(secret, card)).toMatchObject(down);
    expect((await relay.get('/readyz')).status).toBe(503);
    expect((await relay.get('/healthz')).status).toBe(200);
    expect(gateway.authorised()).toEqual([]);
    await postgres.start();
    await until('the relay is ready', async () => (await relay.get('/readyz')).status === 200);
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('hangs answers, stops and recovers', async () => {
    const { gateway, relay, address } = await setUp();
    const { relay: stopping } = await setUp();
    const store = await openStore(address);
    onTestFinished(() => store.close());
    const { secret } = await relay.session();
    postgres.pause();
    try {
      const calls = [relay.pay(secret, card), relay.get('/readyz'), relay.pay(secret, card)];
      let ended = 0;
      for (const call of calls) call.finally(() => ended++);
      expect((await relay.get('/healthz')).status).toBe(200);
      expect(ended).toBe(0);
      const late = store.sessions.create(session('cs_late')).then(
        () => 'created',
        (error: unknown) => error,
      );
      // The database resumes only after all of them have failed.
      const [answers] = await Promise.all([Promise.all(calls), stopping.stop()]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(await late).toBeInstanceOf(StoreError);
      expect(gateway.authorised()).toEqual([]);
    } finally {
      postgres.resume();
    }
    await until('the relay is ready', async () => (await relay.get('/readyz')).status === 200);
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await store.sessions.get('cs_late')).toBeUndefined();
  });

  it('stops during a payment answers unknown, and stores the outcome later', async () => {
    const { gateway, relay } = await setUp((received, res) => {
      if (received.path === '/v1/authorise') postgres.stop().then(() => sendXml(res, signedXml(approval(received))));
      else sendRecords(res, []);
    });
    const { secret, id } = await relay.session();
    expect(await relay.pay(secret, card)).toMatchObject({ status: 200, body: { status: 'unknown' } });
    await postgres.start();
    await until('the relay is ready', async () => (await relay.get('/readyz')).status === 200);
    await until('it is known', async () => (await relay.truth(id)).status === 'approved');
    expect(gateway.authorised()).toHaveLength(1);
    expect(gateway.queried()).toHaveLength(0);
  });

  it('is unreachable at startup reports why, without the password', async () => {
    const address = await postgres.database();
    const password = new URL(address).password;
    const wrong = address.replace(password, 'wrong-secret');
    const unreachable = address.replace(/:\d+\//, ':9/');
    for (const [store, why] of [
      [wrong, /password authentication failed/],
      [unreachable, /ECONNREFUSED/],
      [address.replace(/[^/]*$/, 'no_such_database'), /does not exist/],
      ['postgres://turnpike:hidden-secret@[half/db', /Invalid URL|TypeError/],
    ] as const) {
      const error: unknown = await openStore(store).catch((error: unknown) => error);
      expect(error).toMatchObject({ name: 'StoreError', code: 'store_unavailable' });
      expect(error).toMatchObject({ cause: { message: expect.stringMatching(why) } });
      const whole =
        JSON.stringify(error, Object.getOwnPropertyNames(error)) + inspect(error, { depth: 9, showHidden: true });
      for (const secret of [password, 'wrong-secret', 'hidden-secret']) expect(whole).not.toContain(secret);
    }
  });
});
