import { describe, expect, it } from 'vitest';
import { derive, deriveKeys, seal, unseal } from './keys.ts';

const [a, b] = [deriveKeys('a'), deriveKeys('b')];

describe('derived keys', () => {
  it('differ by secret, purpose and subject, and are repeatable', () => {
    const keys = [
      derive(a, 'client secret', 'x'),
      derive(b, 'client secret', 'x'),
      derive(a, 'issuer ticket', 'x'),
      derive(a, 'client secret', 'y'),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(derive(a, 'client secret', 'x')).toBe(keys[0]);
  });
});

describe('a sealed text', () => {
  const sealed = seal(a, 'kept answer', 'the answer: ção');

  it('is readable with the same secret and purpose, and reveals nothing', () => {
    expect(unseal(a, 'kept answer', sealed)).toBe('the answer: ção');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('answer');
    expect(seal(a, 'kept answer', 'the answer: ção')).not.toBe(sealed);
  });

  it('is unreadable with another secret or purpose, or a changed bit', () => {
    expect(unseal(b, 'kept answer', sealed)).toBeUndefined();
    expect(unseal(a, 'client secret', sealed)).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(unseal(a, 'kept answer', bytes.toString('base64'))).toBeUndefined();
    for (const none of ['', 'AAAA', 'no base64 ☹']) expect(unseal(a, 'kept answer', none)).toBeUndefined();
  });
});
