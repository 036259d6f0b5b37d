import { createHash, randomBytes, scrypt } from 'node:crypto';
import type { Scope } from '../../shared/checkout/scopes.ts';

/** Bytes of chance in a key or a secret, as many as the hashes beside them have. */
const RANDOM_BYTES = 32;

/** An API key, and the entry of `accounts[].api_keys` that lets it in. The entry does not give the key away. */
export type NewKey = { key: string; entry: { name: string; sha256: string; scopes: readonly Scope[] } };

/** Makes an API key. */
export function newKey(name: string, scopes: readonly Scope[]): NewKey {
  // Letters first: a key that begins with a hyphen would be read as an option somewhere.
  const key = `tpk_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return { key, entry: { name, sha256: createHash('sha256').update(key).digest('hex'), scopes } };
}

/** Makes a secret for webhooks, as Standard Webhooks writes them. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`;
}

/** Somebody who signs in to the console: the entry of `console.people`, which holds a hash of the password. */
export type Person = { name: string; password: string; scopes: readonly Scope[]; accounts: readonly string[] };

/** Makes a password of 144 random bits and the entry of who has it. */
export async function newPerson(person: Omit<Person, 'password'>): Promise<{ password: string; entry: Person }> {
  const password = randomBytes(18).toString('base64url');
  const { name, scopes, accounts } = person;
  return { password, entry: { name, password: await scryptHash(password, randomBytes(16)), scopes, accounts } };
}

/** 32 MiB for each guess, which a relay has to spare for a sign-in too; OWASP counts it as much as 128 MiB and `p` 1. */
const COST = { ln: 15, r: 8, p: 3 };
const HASH_BYTES = 32;

/** The scrypt hash of a password in the PHC string format: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, base64 without padding. */
export function scryptHash(password: string, salt: Buffer): Promise<string> {
  const { ln, r, p } = COST;
  const N = 2 ** ln;
  // Node's own limit is just what these costs take.
  const options = { N, r, p, maxmem: 160 * N * r };
  return new Promise((done, fail) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error) fail(error);
      else done(`$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
