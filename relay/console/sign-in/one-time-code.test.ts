import { describe, expect, it } from 'vitest';
import { base32, codeOf, otpauthAddress, stepAt, stepOf } from './one-time-code.ts';

/** The secret of the test vectors of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');

describe('a one-time code', () => {
  // The vectors have eight digits; six are the last six of them.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is that of RFC 6238 at %d seconds', (seconds, code) => {
    expect(codeOf(secret, stepAt(new Date(seconds * 1000)))).toBe(code.slice(-6));
  });

  it.each(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])(
    'is that of RFC 4226: %s',
    (code) => {
      const codes = Array.from({ length: 10 }, (_, step) => codeOf(secret, step));
      expect(codes).toContain(code);
    },
  );

  it('is right in its step and the ones beside it', () => {
    const code = codeOf(secret, 1000);
    const stepFrom = (ms: number) => stepOf(secret, code, new Date(1000 * 30_000 + ms));
    expect([-30_001, -30_000, 0, 29_999, 59_999, 60_000].map(stepFrom)).toEqual([
      undefined,
      ...[1000, 1000, 1000, 1000],
      undefined,
    ]);
  });

  it.each(['', '12345', '1234567', '１２３４５６', 'abcdef', ' 12345', '12345\n'])('is never %j', (code) => {
    expect(stepOf(secret, code, new Date(0 + 60_000))).toBeUndefined();
  });
});

it('base32 is that of RFC 4648', () => {
  expect(base32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

it('apps get the secret with the issuer and the person', () => {
  expect(otpauthAddress(secret, { issuer: 'Turnpike pay.example', person: 'Ada & Zoë' })).toBe(
    'otpauth://totp/Turnpike%20pay.example:Ada%20%26%20Zo%C3%AB?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Turnpike%20pay.example&algorithm=SHA1&digits=6&period=30',
  );
});
