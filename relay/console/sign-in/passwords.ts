import { createHmac, randomBytes } from 'node:crypto';
import { createSemaphore } from '../../base/semaphore.ts';
import { isPassword, parseScrypt, type ScryptHash } from '../../config/scrypt.ts';
import type { Person } from './person.ts';

/** Limits of checks at the same time: each uses a core, and the memory that its hash requires. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;

/**
 * Checks passwords, a few at once. An unknown name takes as long as a known one: its password is compared with a hash that no password
 * has, with the costs of some person, the same for each try.
 * @param verify compares a password with a hash
 */
export function createPasswords(people: readonly Person[], verify = isPassword) {
  const known = people.flatMap((person) => {
    const hash = person.password === undefined ? undefined : parseScrypt(person.password);
    return hash ? [{ person, hash }] : [];
  });
  const permits = createSemaphore(MAX_AT_ONCE);
  const choice = randomBytes(32);
  const unmatched = { salt: randomBytes(16), hash: randomBytes(32) };
  const someHash = (name: string): ScryptHash | undefined => {
    const at = createHmac('sha256', choice).update(name).digest().readUInt32BE() % Math.max(1, known.length);
    const cost = known[at]?.hash.cost;
    return cost && { cost, ...unmatched };
  };
  let waiting = 0;
  return {
    /**
     * The person with this name, if the password is right; `busy` if too many are being checked.
     * @param own the hash of the password that replaces the one in the settings
     */
    async check(name: string, password: string, own?: string): Promise<Person | 'busy' | undefined> {
      const found = known.find(({ person }) => person.name === name);
      const hash = (own === undefined ? undefined : parseScrypt(own)) ?? found?.hash ?? someHash(name);
      if (!hash) return undefined;
      if (waiting >= MAX_WAITING) return 'busy';
      waiting += 1;
      const permit = await permits.acquire(randomBytes(8).toString('hex'));
      try {
        return (await verify(password, hash)) ? found?.person : undefined;
      } finally {
        waiting -= 1;
        permit.release();
      }
    },
  };
}
