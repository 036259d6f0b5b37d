import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { operationNames } from '../../shared/gateway/operations.ts';
import { identity } from '../../test/support/gateways/operation-cases.ts';
import { drop, hang, type Script, sendRecords } from '../../test/support/gateways/scripted-gateway.ts';
import { operationApi } from '../../test/support/relays/operation-api.ts';
import { apiKey } from '../../test/support/relays/relay.ts';
import { keepTimers } from '../../test/support/time/timers.ts';
import { until } from '../../test/support/time/until.ts';

const asked = { orders: ['A'] };

async function query(script: Script, options: Parameters<typeof operationApi>[1] = {}) {
  const api = await operationApi(script, options);
  return { ...api, answer: await api.post('/v1/query', asked) };
}

describe('a query', () => {
  it('is answered with the gateway’s message, without card data', async () => {
    const record = { order_no: 'A', unknown_to_us: [1], decline_reason: 'card 4111111111111111' };
    const { answer, sent } = await query((_received, res) => sendRecords(res, [record]));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...identity,
      ...{ return_status: '1', return_message: 'OK' },
      orders_list: [{ ...record, decline_reason: 'card 411111******1111' }],
    });
    expect(answer.text).not.toContain('4111111111111111');
    expect(sent()[0]?.message).toMatchObject({ orders: 'A', ...identity });
  });

  it.each<[string, Script, object]>([
    [
      'refused',
      (_received, res) => void res.writeHead(403).end(),
      {
        status: 422,
        code: 'gateway_refused',
        detail:
          'The gateway did not take the query: HTTP 403. It answers registered addresses only: the relay’s operator must have the relay’s addresses registered with it, or else check the account’s credentials.',
      },
    ],
    [
      'not answered',
      hang,
      { status: 504, code: 'gateway_timeout', detail: 'The gateway did not answer in time. Try again.' },
    ],
    [
      'cut off',
      drop,
      {
        status: 502,
        code: 'gateway_answer_unusable',
        detail: 'The gateway’s answer cannot be used: connection_lost.',
      },
    ],
    [
      'answered for another account',
      (_received, res) => sendRecords(res, [], { account_id: '9' }),
      { status: 502, code: 'gateway_answer_unusable', detail: 'The gateway answered for another account.' },
    ],
  ])('that is %s is a problem', async (_, script, problem) => {
    const { answer } = await query(script, { timeoutMs: script === hang ? 300 : 20_000 });
    expect(answer.body).toMatchObject(problem);
  });

  it('that is not sent says so', async () => {
    const api = await operationApi(hang);
    await api.gateway.close();
    expect((await api.post('/v1/query', asked)).body).toMatchObject({
      ...{ status: 503, code: 'gateway_unreachable' },
      detail: 'The gateway cannot be reached; nothing was sent. Try again.',
    });
    api.context.longCall = async () => ({ kind: 'not_sent', detail: 'Not signed.' });
    expect((await api.post('/v1/query', asked)).body).toMatchObject({ status: 503, detail: 'Not signed.' });
  });

  it('without configured signing is not sent', async () => {
    const signing = { scheme: 'concat', algorithm: 'sha256', secret: 'append', fields: {}, answer_fields: {} };
    const verify = Object.fromEntries(operationNames.map((name) => [name, 'off']));
    const { answer, sent } = await query(hang, { profile: { signing, verify } });
    expect(answer.body).toMatchObject({ status: 501, code: 'operation_not_configured' });
    expect(answer.body.detail).toMatch(/query/);
    expect(sent()).toEqual([]);
  });
});

describe('a long answer', () => {
  /** A relay whose gateway's answers are long. Tells how many of them are in memory. */
  async function setUp(length: number, whose: object = identity) {
    const api = await operationApi(hang);
    const held = { count: 0 };
    const json = new TextEncoder().encode(JSON.stringify({ ...whose, filler: 'x'.repeat(length) }));
    api.context.longCall = async () => {
      held.count += 1;
      let isHeld = true;
      const release = () => {
        if (isHeld) held.count -= 1;
        isHeld = false;
      };
      return { kind: 'long_answer', json, identity: whose, release };
    };
    return { ...api, held, json };
  }

  const isFree = ({ held }: { held: { count: number } }) => until('it is free', () => held.count === 0);

  it('is sent as JSON, and its memory freed after that', async () => {
    const relay = await setUp(100);
    const answer = await relay.post('/v1/query', asked);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.text).toBe(new TextDecoder().decode(relay.json));
    await isFree(relay);
  });

  it('for another account is not passed on, and its memory freed', async () => {
    const relay = await setUp(100, { merchant_id: '9' });
    expect((await relay.post('/v1/query', asked)).body).toMatchObject({
      ...{ status: 502, code: 'gateway_answer_unusable' },
      detail: 'The gateway answered for another account.',
    });
    await isFree(relay);
  });

  /** Asks, and reads nothing of the answer. */
  function stalled(url: string) {
    const body = JSON.stringify(asked);
    const head = [
      'POST /v1/query HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    return { socket, answered: new Promise<void>((done) => socket.once('readable', done)) };
  }

  it('is in memory while it is read, for a minute at most', async () => {
    const timers = keepTimers(60_000);
    const relay = await setUp(30_000_000);
    const { socket, answered } = stalled(relay.url);
    await answered;
    expect(relay.held.count).toBe(1);
    expect(timers.kept()).toBe(1);
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    timers.release();
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(relay.json.length);
    await isFree(relay);
  });

  it('leaves no timer behind once it is read', async () => {
    const [made, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    onTestFinished(() => void vi.restoreAllMocks());
    const relay = await setUp(100);
    await relay.post('/v1/query', asked);
    await isFree(relay);
    const at = made.mock.calls.findIndex(([, ms]) => ms === 60_000);
    expect(cleared).toHaveBeenCalledWith(made.mock.results[at]?.value);
  });

  it('that comes after the shop has gone is freed at once', async () => {
    const relay = await setUp(100);
    const { longCall } = relay.context;
    let answer = (): void => undefined;
    let isAsked = false;
    relay.context.longCall = async (...asking) => {
      isAsked = true;
      await new Promise<void>((done) => {
        answer = done;
      });
      return longCall(...asking);
    };
    const { socket } = stalled(relay.url);
    await until('the gateway is asked', () => isAsked);
    socket.destroy();
    await until('the relay heard it', () => relay.ended() === 1);
    answer();
    await isFree(relay);
  });
});
