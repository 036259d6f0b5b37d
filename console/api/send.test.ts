import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetchCheckingVersion, type Outgoing, Refused, send, Unanswered, Unreadable } from './send.ts';

type Step = { status: number; body: unknown; isOfProxy?: true } | 'lost';

/** A relay with scripted answers, and the requests that it received. */
function scripted(...steps: Step[]) {
  const requests: Request[] = [];
  const calls = { signIns: 0, csrf: 'old', isIdle: false };
  const answer = async (path: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(new URL(String(path), 'http://relay.test'), init));
    const step = steps.shift();
    if (step === undefined || step === 'lost') throw new TypeError('network');
    const { status, body, isOfProxy } = step;
    const text = typeof body === 'string' && body.startsWith('<') ? body : JSON.stringify(body);
    return new Response(text, { status, headers: isOfProxy ? {} : { 'Turnpike-Version': '0.1.0' } });
  };
  const surroundings = {
    fetch: answer,
    wait: async () => undefined,
    csrf: () => calls.csrf,
    isIdle: () => calls.isIdle,
    signInAgain: async () => {
      calls.signIns++;
      calls.csrf = 'new';
    },
  };
  return { requests, calls, surroundings };
}

const refund: Outgoing = { path: '/refund', body: { amount: '20.00' }, key: 'k1' };
const problem = (status: number, code: string): Step => ({ status, body: { code, detail: 'why' } });
const keys = (requests: readonly Request[]) => requests.map(({ headers }) => headers.get('Idempotency-Key'));

describe('a request of the console', () => {
  it('is repeated with the same key where its answer is lost', async () => {
    const { requests, surroundings } = scripted('lost', 'lost', { status: 200, body: 'done' });
    await expect(send(surroundings, refund)).resolves.toMatchObject({ answer: 'done' });
    expect(keys(requests)).toEqual(['k1', 'k1', 'k1']);
    expect(await requests[2]?.json()).toEqual({ amount: '20.00' });
  });

  it('ends unanswered after four tries', async () => {
    const { requests, surroundings } = scripted();
    await expect(send(surroundings, refund)).rejects.toBeInstanceOf(Unanswered);
    expect(requests).toHaveLength(4);
  });

  it('asks for the password and goes on with key and body', async () => {
    const { requests, calls, surroundings } = scripted(problem(401, 'unauthorized'), { status: 200, body: 'done' });
    await send(surroundings, refund);
    expect(calls.signIns).toBe(1);
    expect(keys(requests)).toEqual(['k1', 'k1']);
    expect(requests.map(({ headers }) => headers.get('X-CSRF-Token'))).toEqual(['old', 'new']);
  });

  it('retries with a new token when its token has expired', async () => {
    const { requests, calls, surroundings } = scripted(problem(403, 'csrf'), { status: 200, body: 'done' });
    await send(surroundings, refund);
    expect(calls.signIns).toBe(1);
    expect(requests.map(({ headers }) => headers.get('X-CSRF-Token'))).toEqual(['old', 'new']);
  });

  it('is not repeated for ever with a token that is refused', async () => {
    const { requests, surroundings } = scripted(problem(403, 'csrf'), problem(403, 'csrf'));
    await expect(send(surroundings, refund)).rejects.toMatchObject({ code: 'csrf' });
    expect(requests).toHaveLength(2);
  });

  it('is not repeated where the relay refuses it', async () => {
    const { requests, surroundings } = scripted(problem(409, 'refund_exceeds_payment'));
    await expect(send(surroundings, refund)).rejects.toMatchObject({ code: 'refund_exceeds_payment', status: 409 });
    expect(requests).toHaveLength(1);
  });

  it('waits for the same request that still runs', async () => {
    const { requests, surroundings } = scripted(problem(409, 'in_progress'), { status: 200, body: 'done' });
    await send(surroundings, refund);
    expect(requests).toHaveLength(2);
  });

  it('marks requests of an idle page', async () => {
    const { requests, calls, surroundings } = scripted({ status: 200, body: 'a' }, { status: 200, body: 'b' });
    await send(surroundings, { path: '/orders' });
    calls.isIdle = true;
    await send(surroundings, { path: '/orders' });
    expect(requests.map(({ headers }) => headers.get('X-Idle'))).toEqual([null, '1']);
  });

  it.each([
    [200, '<h1>'],
    [502, '<h1>'],
    [200, undefined],
    [200, { ok: true }],
    [400, { code: 400 }],
    [429, { code: 'rate_limited' }],
  ])('takes what a proxy wrote for no answer: %i %j', async (status, body) => {
    const page: Step = { status, body, isOfProxy: true };
    const { requests, surroundings } = scripted(...Array.from({ length: 4 }, () => page));
    await expect(send(surroundings, refund)).rejects.toBeInstanceOf(Unanswered);
    expect(keys(requests)).toEqual(['k1', 'k1', 'k1', 'k1']);
  });

  it.each([
    [403, 'missing_scope'],
    [403, 'csrf'],
    [404, 'not_found'],
    [413, 'of_a_proxy'],
    [429, 'too_many_attempts'],
  ])('is in doubt after a lost try and refused retry: %i %s', async (status, code) => {
    const { surroundings } = scripted('lost', problem(status, code), problem(status, code));
    await expect(send(surroundings, refund)).rejects.toBeInstanceOf(Unanswered);
  });

  it.each([
    [403, 'above_limit'],
    [409, 'refund_exceeds_payment'],
    [422, 'gateway_refused'],
    [503, 'relay_paused'],
  ])('is not done when its key is refused on retry: %i %s', async (status, code) => {
    const { surroundings } = scripted('lost', problem(status, code));
    await expect(send(surroundings, refund)).rejects.toMatchObject({ code });
  });

  it('is in doubt after a lost try without a sign-in', async () => {
    const { surroundings } = scripted('lost', problem(401, 'unauthorized'));
    const refusal = new Refused({ status: 403, code: 'x', detail: 'x', operationId: undefined, retryAfterSeconds: 1 });
    const signInAgain = () => Promise.reject(refusal);
    await expect(send({ ...surroundings, signInAgain }, refund)).rejects.toBeInstanceOf(Unanswered);
  });

  it('repeats no lost try after half a day', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { requests, surroundings } = scripted('lost', problem(401, 'unauthorized'), { status: 200, body: 'done' });
    const signInAgain = async () => void vi.setSystemTime(Date.now() + 12 * 3_600_000);
    await expect(send({ ...surroundings, signInAgain }, refund)).rejects.toBeInstanceOf(Unanswered);
    expect(requests).toHaveLength(2);
  });

  it('refuses an answer of the relay that is not JSON', async () => {
    const { surroundings } = scripted({ status: 200, body: '<h1>' });
    const ended = send(surroundings, refund);
    await expect(ended).rejects.toBeInstanceOf(Unreadable);
    await expect(ended).rejects.not.toBeInstanceOf(Refused);
  });
});

it.each([
  ['the same version', { 'Turnpike-Version': '0.1.0' }, 200, false],
  ['another version', { 'Turnpike-Version': '0.2.0' }, 200, true],
  ['another version with a problem', { 'Turnpike-Version': '0.2.0' }, 409, true],
  ['no version, as a proxy', {}, 502, false],
])('notices an answer of %s', async (_what, headers, status, isOther) => {
  let isCalled = false;
  const response = new Response('{}', { status, headers });
  const fetch = fetchCheckingVersion(
    async () => response,
    '0.1.0',
    () => {
      isCalled = true;
    },
  );
  expect(await fetch('/console/api/me')).toBe(response);
  expect(isCalled).toBe(isOther);
});
