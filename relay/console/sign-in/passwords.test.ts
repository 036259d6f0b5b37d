import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../config/scrypt.ts';
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

it('takes a person’s own password in place of that in the settings', async () => {
  const passwords = createPasswords([ada]);
  const own = await hashPassword('own', { N: 16_384, r: 8, p: 1 }, Buffer.alloc(16, 8));
  expect(await passwords.check('Ada', 'own', own)).toBe(ada);
  expect(await passwords.check('Ada', 'right', own)).toBeUndefined();
  expect(await passwords.check('Eve', 'own', own)).toBeUndefined();
});

it('verifies one hash, as costly, for an unknown name', async () => {
  const costs: object[] = [];
  const passwords = createPasswords([ada, { name: 'Zoë', scopes: ['*'], accounts: ['demo'] }], (password, hash) => {
    costs.push({ ...hash.cost, length: hash.hash.length, salt: hash.salt.length });
    return isPassword(password, hash);
  });
  for (const name of ['Ada', 'Eve', 'Zoë']) expect(await passwords.check(name, 'wrong')).toBeUndefined();
  expect(costs).toEqual(Array(3).fill({ N: 16_384, r: 8, p: 1, length: 32, salt: 16 }));
});

it('checks no more than a few at once', async () => {
  const passwords = createPasswords([ada]);
  const checked = await Promise.all(Array.from({ length: 25 }, () => passwords.check('Ada', 'right')));
  expect(checked.filter((one) => one === ada)).toHaveLength(20);
  expect(checked.filter((one) => one === 'busy')).toHaveLength(5);
  expect(await passwords.check('Ada', 'right')).toBe(ada);
});
