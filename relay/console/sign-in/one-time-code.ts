import { createHmac, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as authenticator apps expect it: SHA-1, six digits, a new code every 30 seconds. */
const PERIOD_MS = 30_000;
const DIGITS = 6;

/** RFC 4226 requires at least 128 bits for a secret and recommends 160. */
export const SECRET_BYTES = 20;

/** A clock may be a step ahead or behind, so three codes are right at a time. */
const STEPS_BESIDE = 1;

/** The code of a secret in a step of 30 seconds (RFC 4226, 5.3). */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The number of the step of a moment. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / PERIOD_MS);
}

/** The step of a code: the current one or one beside it; undefined for any other code. */
export function stepOf(secret: Buffer, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = stepAt(now);
  const given = Buffer.from(code);
  const steps = Array.from({ length: 2 * STEPS_BESIDE + 1 }, (_, at) => current - STEPS_BESIDE + at);
  // All are compared, so that the time does not reveal the step.
  const right = steps.filter((step) => timingSafeEqual(given, Buffer.from(codeOf(secret, step))));
  return right.at(-1);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base32 (RFC 4648) without padding. Their number is a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** The address with a secret for an authenticator app, for a QR code or a link. */
export function otpauthAddress(secret: Buffer, { issuer, person }: { issuer: string; person: string }): string {
  const label = [issuer, person].map(encodeURIComponent).join(':');
  const query = [`secret=${base32(secret)}`, `issuer=${encodeURIComponent(issuer)}`];
  return `otpauth://totp/${label}?${[...query, 'algorithm=SHA1', `digits=${DIGITS}`, `period=${PERIOD_MS / 1000}`].join('&')}`;
}
