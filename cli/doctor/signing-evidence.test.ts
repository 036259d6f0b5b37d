import { describe, expect, it } from 'vitest';
import { sign } from '../../shared/gateway/signature.ts';
import { createOracle, secretsBeside } from './signing-evidence.ts';

const own = { id: 'demo', signingSecret: 's3cret ' };
const secrets = secretsBeside(own, [own, { id: 'other', signingSecret: 'another' }]);
const request = { merchant_id: '1', account_id: '2', orders: 'D1' };
const answer = { merchant_id: '1', account_id: '2', return_status: '0', return_message: 'Invalid input' };

/** What an answer with this body says, to a query that was signed otherwise. */
function evidence(body: unknown, status = 200) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const exchange = { kind: 'answered', status, contentType: '', body: Buffer.from(text) } as const;
  return createOracle(secrets, () => 0)({ operation: 'query', request, signature: 'f'.repeat(64), exchange });
}

describe('what the gateway’s own signatures tell', () => {
  it('is how its answers are signed, and with which secret', () => {
    const signing = { scheme: 'canonical' };
    expect(evidence({ ...answer, encryption_data: sign(answer, 's3cret ') })).toEqual({ answers: { signing } });
    expect(evidence({ ...answer, encryption_data: sign(answer, 's3cret') })).toEqual({
      answers: { signing, secret: expect.stringContaining('without the white space') },
    });
    expect(evidence({ ...answer, encryption_data: sign(answer, 'another') })).toEqual({
      answers: { signing, secret: expect.stringContaining('of the account other') },
    });
  });

  it('is the signing that a refusal describes', () => {
    const expected = sign(request, 's3cret ');
    expect(evidence(`Bad sign: got ${'f'.repeat(64)}, want ${expected}`, 400)).toMatchObject({
      requests: { signing: { scheme: 'canonical' } },
    });
    expect(evidence({ ...answer, return_message: `want ${expected}` })).toMatchObject({ requests: {} });
  });

  it.each([
    ['no signature', answer],
    ['the request’s own signature', { ...answer, encryption_data: 'f'.repeat(64) }],
    ['a text that is no signature', { ...answer, encryption_data: 'none' }],
    ['a signature under a secret that is unknown', { ...answer, encryption_data: sign(answer, 'unknown') }],
    ['half a surrogate pair', `{"a":"\\ud800","encryption_data":"${'a'.repeat(64)}"}`],
    ['no JSON', '<html>Not Found</html>'],
    ['nothing', ''],
  ])('is nothing for %s', (_what, body) => {
    expect(evidence(body)).toEqual({});
  });
});
