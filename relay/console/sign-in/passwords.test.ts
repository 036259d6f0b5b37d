import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const salt = Buffer.alloc(16, 7);
const hash = scryptSync('right', salt, 32, { N: 16_384, r: 8, p: 1 });
const password = `$scrypt$ln=14,r=8,p=1$${[salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, '')).join('$')}`;
const ada = { name: 'Ada', password, scopes: ['*' as const], accounts: ['demo'] };

it('knows whose password it is', async () => {
  const passwords = createPasswords([ada]);
  expect(await passwords.check('Ada', 'right')).toBe(ada);
  expect(await passwords.check('Ada', 'wrong')).toBeUndefined();
  expect(await passwords.check('Eve', 'right')).toBeUndefined();
  expect(await passwords.check('Zoë', 'right')).toBeUndefined();
});

it('spends as much on a name that nobody has', async () => {
  const passwords = createPasswords([ada, { name: 'Zoë', scopes: ['*'], accounts: ['demo'] }]);
  /** The least of some tries: what else the machine does makes it longer only. */
  const cost = async (name: string): Promise<number> => {
    const tries: number[] = [];
    for (let tried = 0; tried < 5; tried++) {
      const start = performance.now();
      await passwords.check(name, 'wrong');
      tries.push(performance.now() - start);
    }
    return Math.min(...tries);
  };
  const known = await cost('Ada');
  for (const name of ['Eve', 'Zoë']) expect(await cost(name)).toBeGreaterThan(known / 3);
});

it('checks no more than a few at once', async () => {
  const passwords = createPasswords([ada]);
  const checked = await Promise.all(Array.from({ length: 25 }, () => passwords.check('Ada', 'right')));
  expect(checked.filter((one) => one === ada)).toHaveLength(20);
  expect(checked.filter((one) => one === 'busy')).toHaveLength(5);
  expect(await passwords.check('Ada', 'right')).toBe(ada);
});
