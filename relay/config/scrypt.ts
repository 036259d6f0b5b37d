import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** A password's scrypt hash, with its parameters. */
export type ScryptHash = { cost: { N: number; r: number; p: number }; salt: Buffer; hash: Buffer };

/** The PHC string format, with at least 16 bytes of salt and 32 bytes of hash. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;

/** The maximum memory of one guess, and how often it may be filled. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_P = 16;

const HASH_BYTES = 32;

/** Reads a hash in the PHC string format. Undefined for any other text, and for a hash that needs more than 128 MiB. */
export function parseScrypt(text: string): ScryptHash | undefined {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(text) ?? [];
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const isBounded = cost.N > 1 && cost.r > 0 && cost.p > 0 && cost.p <= MAX_P && 128 * cost.N * cost.r <= MAX_BYTES;
  if (!isBounded) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

/** The hash of a password, with the cost of another hash. */
export function hashPassword(password: string, cost: ScryptHash['cost'], salt: Buffer): Promise<string> {
  return new Promise((fulfil, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, optionsOf(cost), (error, hash) => {
      if (error) reject(error);
      else fulfil(`$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(hash)}`);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function optionsOf(cost: ScryptHash['cost']): ScryptOptions {
  return { ...cost, maxmem: 128 * cost.r * (cost.N + cost.p) + 1024 * 1024 };
}

/** Whether a password has this hash. A wrong password takes as long. */
export function isPassword(password: string, { cost, salt, hash }: ScryptHash): Promise<boolean> {
  return new Promise((fulfil, reject) => {
    scrypt(password.normalize('NFKC'), salt, hash.length, optionsOf(cost), (error, made) => {
      if (error) reject(error);
      else fulfil(timingSafeEqual(made, hash));
    });
  });
}
