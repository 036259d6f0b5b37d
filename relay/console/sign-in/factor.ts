import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Enrolment } from '../../../shared/api/console.ts';
import { seal, sha256, unseal } from '../../base/keys.ts';
import { qrCode } from '../../base/qr-code.ts';
import type { Context } from '../../context/context.ts';
import type { SecondFactor } from '../../store/facets/credentials.ts';
import { base32, otpauthAddress, SECRET_BYTES, stepOf } from './one-time-code.ts';
import type { Person } from './person.ts';

/**
 * The maximum number of wrong codes in a row, from networks from which the person never signed in, and in all: NIST SP 800-63B, 5.2.2
 * permits 100.
 * A guess is right with a probability of 3 in a million. So an attacker who has the password guesses a code with a probability of 0.006 %
 * from elsewhere, and of 0.03 % from the person's networks, until the person signs in again. Recovery codes are always accepted.
 */
const MAX_WRONG_ELSEWHERE = 20;
const MAX_WRONG = 100;

/** The time in which a person must confirm a new second factor. */
const ENROLMENT_MS = 15 * 60_000;

const RECOVERY_CODES = 10;

/** 80 bits cannot be guessed from a plain hash. Base32 makes 16 letters and digits of them. */
const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = 16;

/** The sealed contents. With the person's name in them, a secret that is copied to another row of the store is refused. */
const sealedFactor = z.tuple([z.literal('factor'), z.string(), z.base64()]);
const sealedEnrolment = z.tuple([z.literal('enrolment'), z.string(), z.base64(), z.number()]);

/** Creates a secret for a person's authenticator app. Nothing is stored until a code confirms it. */
export function newEnrolment(context: Context, person: Person): Enrolment {
  const secret = randomBytes(SECRET_BYTES);
  const issuer = `Turnpike ${new URL(context.config.public_url).hostname}`;
  const address = otpauthAddress(secret, { issuer, person: person.name });
  const until = context.now().getTime() + ENROLMENT_MS;
  const enrolment = sealed(context, ['enrolment', person.name, secret.toString('base64'), until]);
  return { secret: base32(secret), address, qr: qrCode(address), enrolment };
}

/** The factor that a code of the app confirms, with the step of the code; undefined for a wrong code. */
export function confirmedFactor(
  context: Context,
  person: Person,
  { enrolment, code }: { enrolment: string; code: string },
): (SecondFactor & { step: number }) | undefined {
  const [, name, kept = '', until = 0] = sealedEnrolment.safeParse(unsealed(context, enrolment)).data ?? [];
  if (name !== person.name || until < context.now().getTime()) return undefined;
  const step = stepOf(Buffer.from(kept, 'base64'), typed(code), context.now());
  if (step === undefined) return undefined;
  return { secret: sealed(context, ['factor', name, kept]), enrolled_at: context.now().toISOString(), step };
}

/** The kind of an accepted code. */
type TakenCode = 'one_time_code' | 'recovery_code';

/**
 * Accepts a code of a person's factor, which is then used up. Undefined if it is wrong or was used, here or by another relay. Throws StoreError.
 * @param isKnown whether the person signed in from this network before
 */
export async function takeCode(
  context: Context,
  { person, factor, code, isKnown }: { person: Person; factor: SecondFactor; code: string; isKnown: boolean },
): Promise<TakenCode | undefined> {
  const { credentials } = context.store;
  const given = typed(code);
  if (given.length === RECOVERY_LENGTH) {
    return (await credentials.takeRecoveryCode(person.name, sha256(given))) ? 'recovery_code' : undefined;
  }
  // Counted first, so that two relays at once permit no more guesses.
  if (!(await credentials.countCode(person.name, isKnown ? MAX_WRONG : MAX_WRONG_ELSEWHERE))) return undefined;
  const [, name, secret] = sealedFactor.safeParse(unsealed(context, factor.secret)).data ?? [];
  if (secret === undefined || name !== person.name) {
    context.log.error({}, 'console: second factor unreadable: sealed by a secret that is not configured');
    return undefined;
  }
  const step = stepOf(Buffer.from(secret, 'base64'), given, context.now());
  if (step === undefined) return undefined;
  // Sealed again, so that it stays readable without the earlier signing secret.
  const again = sealed(context, ['factor', name, secret]);
  return (await credentials.takeStep(person.name, step, { ...factor, secret: again })) ? 'one_time_code' : undefined;
}

/** Whether a code is a recovery code of the person with this name. It is not used up. Throws StoreError. */
export async function isRecoveryCode(
  { config, store }: Context,
  { name, code = '' }: { name: string; code?: string | undefined },
): Promise<boolean> {
  const given = typed(code);
  if (given.length !== RECOVERY_LENGTH) return false;
  const person = config.console.people.find((one) => one.name === name);
  return store.credentials.hasRecoveryCode(person?.name ?? '', sha256(given));
}

/** New recovery codes in the form for people, and their hashes for the store. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  return {
    shown: codes.map((code) => (code.match(/.{4}/g) ?? []).join('-').toLowerCase()),
    hashes: codes.map(sha256),
  };
}

/** A code without spaces and hyphens. */
function typed(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

function sealed({ config }: Context, parts: readonly (string | number)[]): string {
  const [account] = config.accounts;
  if (!account) throw new TypeError('there is no account');
  return seal(account.derivedKeys, 'second factor', JSON.stringify(parts));
}

/** Opens a text that the secret of any account sealed, current or previous: the order of accounts may change. */
function unsealed({ config }: Context, text: string): unknown {
  for (const { derivedKeys, previousKeys } of config.accounts) {
    for (const keys of [derivedKeys, ...previousKeys]) {
      const opened = unseal(keys, 'second factor', text);
      if (opened !== undefined) return JSON.parse(opened);
    }
  }
  return undefined;
}
