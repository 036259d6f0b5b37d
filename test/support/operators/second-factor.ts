import { codeOf, stepAt } from '../../../relay/console/sign-in/one-time-code.ts';
import { enrolled, enrolment } from '../../../shared/api/console.ts';
import type { TestRelay } from '../relays/relay.ts';
import { cookieIn, trySignIn, type Visitor, visitorOf } from './console.ts';

export const STEP_MS = 30_000;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a secret as an authenticator app reads it. */
export function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** A person with a second factor: the codes of the app, the recovery codes, and the browser that set it up. */
export type Enrolled = { visitor: Visitor; codes: readonly string[]; code(stepsAhead?: number): string };

/** Begins to set up a second factor for a signed-in person. */
export async function beginEnrolment(visitor: Visitor, password = `${visitor.me.name.toLowerCase()}’s`) {
  const begun = await visitor.post('/console/api/own/second-factor', { password });
  if (begun.status !== 200) throw new Error(`not begun: ${begun.text}`);
  return enrolment.parse(begun.body);
}

/** Sets up a second factor for a signed-in person. */
export async function enrol(relay: TestRelay, visitor: Visitor): Promise<Enrolled> {
  const begun = await beginEnrolment(visitor);
  const code = (stepsAhead = 0): string => codeOf(bytesOf(begun.secret), stepAt(relay.context.now()) + stepsAhead);
  const answer = await visitor.post('/console/api/own/second-factor/confirm', {
    ...{ enrolment: begun.enrolment, code: code() },
  });
  if (answer.status !== 200) throw new Error(`not confirmed: ${answer.text}`);
  const { recovery_codes: codes, me } = enrolled.parse(answer.body);
  // The code that confirmed it is used up.
  relay.pass(STEP_MS);
  return { visitor: visitorOf(relay, cookieIn(answer.headers), me), codes, code };
}

/** Tries to sign in with a code, as Ada, from the address of the test. */
export const tryCode = (relay: TestRelay, code: string | undefined, headers: Record<string, string> = {}) =>
  trySignIn(relay, 'Ada', 'ada’s', headers, code);
