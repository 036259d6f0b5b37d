import { scrypt, timingSafeEqual } from 'node:crypto';

/** A password's scrypt hash, with what it was made of. */
export type ScryptHash = { cost: { N: number; r: number; p: number }; salt: Buffer; hash: Buffer };

/** In the PHC string format: 16 bytes of salt or more, and 32 bytes of hash. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;

/** The most memory that one guess may take, and how often it may be filled. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_P = 16;

/** Reads a hash in the PHC string format. Undefined for anything else, and for one that would cost more than 128 MiB. */
export function parseScrypt(text: string): ScryptHash | undefined {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(text) ?? [];
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const isBounded = cost.N > 1 && cost.r > 0 && cost.p > 0 && cost.p <= MAX_P && 128 * cost.N * cost.r <= MAX_BYTES;
  if (!isBounded) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

/** Whether a password has this hash. It takes as long for a wrong one. */
export function isPassword(password: string, { cost, salt, hash }: ScryptHash): Promise<boolean> {
  const options = { ...cost, maxmem: 128 * cost.r * (cost.N + cost.p) + 1024 * 1024 };
  return new Promise((fulfil, reject) => {
    scrypt(password.normalize('NFKC'), salt, hash.length, options, (error, made) => {
      if (error) reject(error);
      else fulfil(timingSafeEqual(made, hash));
    });
  });
}
