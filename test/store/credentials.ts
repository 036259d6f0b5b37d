import { describe, expect, it } from 'vitest';
import type { Store } from '../../relay/store/store.ts';
import { at, type Open } from './fixtures.ts';

const factor = { secret: 'sealed', enrolled_at: at(0), step: 100 };

/** The number of simultaneous calls that return true. */
async function granted(calls: number, call: () => Promise<boolean>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: calls }, call));
  return answers.filter(Boolean).length;
}

async function enrolled(open: Open, codes: readonly string[] = ['x', 'y']): Promise<Store['credentials']> {
  const { credentials } = await open();
  expect(await credentials.enrol('Ada', factor, codes)).toBe(true);
  return credentials;
}

/** The sign-in data that people set for themselves. */
export function credentialBehaviour(open: Open): void {
  describe('a person’s own password', () => {
    it('is stored beside the second factor', async () => {
      const credentials = await enrolled(open);
      await credentials.setPassword('Ada', { hash: 'h1', replaces: 'r1' });
      await credentials.setPassword('Ada', { hash: 'h2', replaces: 'r2' });
      await credentials.setPassword('Bob', { hash: 'h3', replaces: 'r3' });
      const { step: _, ...kept } = factor;
      expect(await credentials.get('Ada')).toEqual({
        ...{ person: 'Ada', password: { hash: 'h2', replaces: 'r2' }, factor: kept },
      });
      expect(await credentials.get('Bob')).toEqual({ person: 'Bob', password: { hash: 'h3', replaces: 'r3' } });
      expect(await credentials.get('Eve')).toBeUndefined();
    });
  });

  describe('a second factor', () => {
    it('can be set once, also by simultaneous calls', async () => {
      const { credentials } = await open();
      expect(await granted(5, () => credentials.enrol('Ada', factor, ['x']))).toBe(1);
      expect(await credentials.countRecoveryCodes('Ada')).toBe(1);
    });

    it('is removed with its recovery codes, and only by its id', async () => {
      const credentials = await enrolled(open);
      expect(await credentials.removeFactor('Ada', at(1))).toBe(false);
      expect(await granted(5, () => credentials.removeFactor('Ada', at(0)))).toBe(1);
      expect(await credentials.get('Ada')).toEqual({ person: 'Ada' });
      expect(await credentials.hasRecoveryCode('Ada', 'x')).toBe(false);
      expect(await credentials.countCode('Ada', 10)).toBe(false);
      expect(await credentials.takeStep('Ada', 200, { ...factor, secret: 'sealed' })).toBe(false);
      expect(await credentials.enrol('Ada', { ...factor, enrolled_at: at(2) }, [])).toBe(true);
    });

    it('accepts the code of a step once, and no earlier step', async () => {
      const credentials = await enrolled(open);
      expect(await credentials.takeStep('Ada', 100, { ...factor, secret: 'sealed' })).toBe(false);
      expect(await granted(10, () => credentials.takeStep('Ada', 101, { ...factor, secret: 'again' }))).toBe(1);
      expect(await credentials.takeStep('Ada', 100, { ...factor, secret: 'sealed' })).toBe(false);
      expect(await credentials.get('Ada')).toMatchObject({ factor: { secret: 'again' } });
      expect(await credentials.takeStep('Bob', 101, { ...factor, secret: 'sealed' })).toBe(false);
    });

    it('accepts no code of a factor that was replaced meanwhile', async () => {
      const credentials = await enrolled(open);
      expect(await credentials.removeFactor('Ada', at(0))).toBe(true);
      expect(await credentials.enrol('Ada', { ...factor, enrolled_at: at(2), secret: 'new' }, [])).toBe(true);
      expect(await credentials.takeStep('Ada', 201, { ...factor, secret: 'old' })).toBe(false);
      expect(await credentials.get('Ada')).toMatchObject({ factor: { secret: 'new' } });
    });

    it('counts consecutive wrong codes exactly, until one is right', async () => {
      const credentials = await enrolled(open);
      expect(await granted(20, () => credentials.countCode('Ada', 5))).toBe(5);
      expect(await granted(20, () => credentials.countCode('Ada', 8))).toBe(3);
      expect(await credentials.takeStep('Ada', 101, { ...factor, secret: 'sealed' })).toBe(true);
      expect(await granted(20, () => credentials.countCode('Ada', 5))).toBe(5);
      expect(await credentials.takeRecoveryCode('Ada', 'x')).toBe(true);
      expect(await credentials.countCode('Ada', 5)).toBe(true);
    });
  });

  describe('a recovery code', () => {
    it('is used up by one of several simultaneous uses', async () => {
      const credentials = await enrolled(open);
      expect(await credentials.hasRecoveryCode('Ada', 'x')).toBe(true);
      expect(await credentials.takeRecoveryCode('Bob', 'x')).toBe(false);
      expect(await granted(10, () => credentials.takeRecoveryCode('Ada', 'x'))).toBe(1);
      expect(await credentials.hasRecoveryCode('Ada', 'x')).toBe(false);
      expect(await credentials.countRecoveryCodes('Ada')).toBe(1);
    });

    it('is invalid once new ones exist', async () => {
      const credentials = await enrolled(open);
      await credentials.replaceRecoveryCodes('Ada', ['y', 'z']);
      expect(await credentials.hasRecoveryCode('Ada', 'x')).toBe(false);
      expect(await credentials.countRecoveryCodes('Ada')).toBe(2);
    });
  });

  it('a network is known by any of its hashes, until long unused', async () => {
    const { credentials } = await open();
    await credentials.seeNetwork('n', at(5));
    await credentials.seeNetwork('n', at(9));
    await credentials.seeNetwork('n', at(7));
    await credentials.seeNetwork('o', at(1));
    expect(await credentials.isKnownNetwork(['m', 'n'], at(8))).toBe(true);
    expect(await credentials.isKnownNetwork(['n'], at(9))).toBe(false);
    expect(await credentials.isKnownNetwork(['m'], at(0))).toBe(false);
    expect(await credentials.forgetNetworks(at(9), 1)).toBe(true);
    expect(await credentials.isKnownNetwork(['o'], at(0))).toBe(false);
    expect(await credentials.isKnownNetwork(['n'], at(0))).toBe(true);
  });
}
