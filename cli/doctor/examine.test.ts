import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profile } from '../../relay/gateway/profile.ts';
import type { Signing } from '../../relay/gateway/signing/signing-setting.ts';
import { type Diagnosis, diagnose } from './examine.ts';
import { MAX_TRIES, type Reaction, type Try, take } from './reaction.ts';
import { signingAlternatives } from './sign/alternatives.ts';

function given(more: Partial<Diagnosis> = {}): Diagnosis {
  let orders = 0;
  return {
    profile: profile.parse({}),
    mayProbe: true,
    isSecretPadded: false,
    newOrderNo: () => `D${++orders}`,
    now: new Date('2027-03-31T12:00:00Z'),
    known: [],
    ...more,
  };
}

const answered = (more: Partial<Extract<Reaction, { kind: 'answered' }>> = {}): Reaction => ({
  kind: 'answered',
  returnStatus: '1',
  returnMessage: 'OK',
  listed: true,
  records: [],
  signature: undefined,
  ...more,
});
const refused = (status: number, text = ''): Reaction => ({ kind: 'refused', status, text });

/** What is found if the gateway reacts so, and what it was sent. */
async function diagnosed(react: (attempt: Try) => Reaction, more: Partial<Diagnosis> = {}) {
  const sent: Try[] = [];
  const findings = await take(diagnose(given(more)), async (attempt) => {
    sent.push(attempt);
    return react(attempt);
  });
  return { findings, sent, wrong: findings.filter(({ status }) => status === 'wrong') };
}

const reactions = fc.oneof(
  fc
    .record({ status: fc.constantFrom(400, 401, 403, 404, 415, 429, 500, 302), text: fc.string() })
    .map(({ status, text }) => refused(status, text)),
  fc
    .record({
      returnStatus: fc.constantFrom('1', '0', '00', ''),
      returnMessage: fc.constantFrom('OK', 'no', 'invalid'),
    })
    .map((more) => answered(more)),
  fc.constantFrom<Reaction>(
    { kind: 'silent', why: 'timeout' },
    { kind: 'unreadable', why: 'not_json' },
    { kind: 'unsignable', detail: 'no fields' },
  ),
);

const concat: Signing = {
  scheme: 'concat',
  algorithm: 'sha256',
  fields: { query: ['orders', 'merchant_id'] },
  answer_fields: {},
  separator: '|',
  secret: 'append',
  output: 'hex',
};
const files: Signing[] = [{ scheme: 'canonical' }, concat, { scheme: 'module', path: '/signer.js' }];

describe('diagnose', () => {
  it('sends ten messages at most, and none twice, whatever the gateway does', async () => {
    const scripts = fc.array(reactions, { minLength: MAX_TRIES + 5, maxLength: MAX_TRIES + 5 });
    await fc.assert(
      fc.asyncProperty(scripts, fc.constantFrom(...files), fc.boolean(), async (script, signing, mayProbe) => {
        const rest = [...script];
        const { sent, findings } = await diagnosed(() => rest.shift() ?? refused(400), {
          profile: profile.parse({ signing, verify: { query: 'off' } }),
          mayProbe,
        });
        expect(sent.length).toBeLessThanOrEqual(mayProbe ? MAX_TRIES : 1);
        expect(new Set(sent.map((attempt) => JSON.stringify(attempt))).size).toBe(sent.length);
        expect(findings.at(-1)?.says).toContain('cannot be checked by a query');
      }),
    );
  });

  it('tries no signature again after the one that works', async () => {
    const [, second] = signingAlternatives({ scheme: 'canonical' });
    const isSecond = ({ signing }: Try): boolean => JSON.stringify(signing) === JSON.stringify(second);
    const { sent, wrong } = await diagnosed((attempt) => (isSecond(attempt) ? answered() : refused(400)));
    expect(sent.slice(3).every(isSecond)).toBe(true);
    expect(wrong[0]).toMatchObject({ setting: 'gateway.profile.signing.scheme', works: 'concat' });
  });

  it.each([
    ['the account is locked', refused(403, 'Account locked')],
    ['too many come', refused(429)],
    ['the address is not registered', answered({ returnStatus: '0', returnMessage: 'IP address not registered' })],
    ['the account is unknown', refused(404, 'Record not found')],
    ['no answer comes', { kind: 'silent', why: 'timeout' }],
    ['no JSON comes', { kind: 'unreadable', why: 'not_json' }],
    ['the gateway fails', refused(500)],
  ] satisfies [string, Reaction][])('sends nothing more where %s', async (_why, reaction) => {
    const { sent, findings } = await diagnosed(() => reaction);
    expect(sent).toHaveLength(1);
    expect(findings[0]?.status).toMatch(/wrong|unknown/);
  });

  it('says to register the address where the gateway asks for that', async () => {
    const { findings } = await diagnosed(() => answered({ returnStatus: '0', returnMessage: 'IP not in whitelist' }));
    expect(findings[0]).toMatchObject({ check: 'registered address', status: 'wrong' });
  });

  it('names the signature whose refusal is of the address only', async () => {
    const right = JSON.stringify(['merchant_id', 'orders']);
    const { sent, wrong } = await diagnosed(
      ({ signing }) =>
        signing.scheme === 'concat' && JSON.stringify(signing.fields.query) === right
          ? answered({ returnStatus: '0', returnMessage: 'IP address not registered' })
          : refused(400),
      { profile: profile.parse({ signing: concat, verify: { query: 'off' } }) },
    );
    expect({ sent: sent.length, wrong }).toMatchObject({
      sent: 7,
      wrong: [{ setting: 'gateway.profile.signing.fields.query' }, { check: 'registered address' }],
    });
  });

  it('sends one query, as the file says, where it may not probe', async () => {
    const { sent, findings } = await diagnosed(() => refused(400, 'Invalid input'), { mayProbe: false });
    expect(sent).toMatchObject([{ kind: 'query', signing: { scheme: 'canonical' } }]);
    expect(findings[0]).toMatchObject({ status: 'wrong', next: expect.stringContaining('--probe') });
    expect((await diagnosed(() => answered(), { mayProbe: false })).sent).toHaveLength(1);
  });

  it('guesses no separator where the gateway has no limit', async () => {
    const { findings } = await diagnosed(() => answered());
    expect(findings.find(({ check }) => check === 'separator of lists')).toMatchObject({
      status: 'unknown',
      says: expect.stringContaining('cannot be checked by a query'),
    });
  });

  it('accepts a signature when the gateway answers that no such order exists', async () => {
    const { sent, findings } = await diagnosed(() => answered({ returnStatus: '7', returnMessage: 'Order not found' }));
    expect(sent.every(({ signing }) => signing.scheme === 'canonical')).toBe(true);
    expect(findings.find(({ check }) => check === 'code of a query')).toMatchObject({
      status: 'unknown',
      next: expect.stringContaining('add "7" to gateway.profile.codes.return_status.success'),
    });
  });

  it.each(['silent', 'unreadable'] as const)('blames no setting for an answer that is %s', async (kind) => {
    let queries = 0;
    const { wrong } = await diagnosed(() => (queries++ === 0 ? answered() : { kind, why: 'timeout' }));
    expect(wrong).toEqual([]);
  });

  it('blames no setting once the gateway wants no more', async () => {
    let queries = 0;
    const { wrong, sent } = await diagnosed(() => (queries++ === 0 ? answered() : refused(429)));
    expect({ wrong, sent: sent.length }).toEqual({ wrong: [], sent: 2 });
  });

  it('names what the answer’s signature asks for', async () => {
    const { wrong } = await diagnosed(() => answered({ signature: 'signature_missing' }), {
      profile: profile.parse({ verify: { query: 'required' } }),
    });
    expect(wrong).toMatchObject([{ setting: 'gateway.profile.verify.query', works: 'if_present', file: 'required' }]);
  });

  it('guesses no content type from cancellations that may be signed wrongly', async () => {
    const { sent } = await diagnosed((attempt) => (attempt.kind === 'cancel' ? refused(400) : answered()), {
      profile: profile.parse({ signing: concat, verify: { query: 'off' } }),
    });
    expect(sent.filter(({ kind }) => kind === 'cancel')).toHaveLength(1);
  });
});

describe('signingAlternatives', () => {
  it.each(files)('gives at least six others for $scheme, and never the file’s own', (file) => {
    const all = signingAlternatives(file).map((scheme) => JSON.stringify(scheme));
    expect(all.length).toBeGreaterThan(5);
    expect(new Set([...all, JSON.stringify(file)]).size).toBe(all.length + 1);
  });
});

describe('records of a query for an order that cannot exist', () => {
  const wrongIn = async (more: Parameters<typeof answered>[0]) => (await diagnosed(() => answered(more))).wrong;

  it('must have a list', async () => {
    const setting = 'gateway.profile.query_without_list';
    expect(await wrongIn({ listed: false })).toMatchObject([{ setting, works: 'empty' }]);
    const settings = { profile: profile.parse({ query_without_list: 'empty' }) };
    expect((await diagnosed(() => answered({ listed: false }), settings)).wrong).toEqual([]);
  });

  it('may be one that says so, once its query_result is listed', async () => {
    const setting = 'gateway.profile.codes.query_result.not_found';
    const records = [{ order_no: 'D1', query_result: '0' }];
    expect(await wrongIn({ records })).toMatchObject([{ setting, works: ['0'] }]);
  });

  it('must not be of other orders', async () => {
    const records = [{ order_no: 'A-1', transaction_id: 'T1', query_result: '1' }];
    expect(await wrongIn({ records })).toMatchObject([{ check: 'records of a query' }]);
  });
});
