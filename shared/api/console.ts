import { z } from 'zod';
import { scopes } from '../checkout/scopes.ts';

/** The header in which the console's page proves that it sent a request: `Me.csrf`. */
export const CSRF_HEADER = 'X-CSRF-Token';

/**
 * The header of a request that the page sends without an action of the user. Such a request does not extend a sign-in.
 */
export const IDLE_HEADER = 'X-Idle';

/**
 * The header with the refunded amount, as a decimal, that the person saw in the console. If another person has refunded
 * meanwhile, the refund is refused.
 */
export const REFUNDED_HEADER = 'X-Refunded-Before';

/** The prefix of the names of people, which no API key has. */
export const PERSON_PREFIX = 'person:';

const password = z.string().min(1).max(1000);

/** A code of an authenticator app, or a recovery code, as a person types it. */
const code = z.string().min(1).max(60);

/** The body of `POST /console/api/sign-in`. `code` is of the second factor, if the person has one. */
export const signInBody = z.strictObject({ name: z.string().min(1).max(200), password, code: code.optional() });

/** The operations whose amounts can be limited, and can wait for a second person. */
export const limitedNames = ['refund', 'capture', 'cancel', 'payout'] as const;
export type LimitedName = (typeof limitedNames)[number];

/**
 * The maximum amount that a person may move by one request, by operation and currency. A listed operation is limited to
 * the listed currencies; any other operation is not limited.
 */
const limits = z.partialRecord(z.enum(limitedNames), z.record(z.string(), z.string()));
export type Limits = z.infer<typeof limits>;

/** Who is signed in to the console, and what they may do in each of their accounts. */
export const me = z.object({
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** `live`: the account reports changes. An account without a webhook does not, and the page polls. */
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  /** By currency, as decimals: the person must type a greater amount again. */
  confirm_above: z.record(z.string(), z.string()).optional(),
  /** The reasons that the refund dialog suggests. */
  refund_reasons: z.array(z.string()).optional(),
  /** The person must set up a second factor before anything else. */
  must_enrol: z.literal(true).optional(),
  limits: limits.optional(),
  /** Whether amounts above `confirm_above` wait for another person. */
  approval: z.boolean().optional(),
  csrf: z.string(),
});
export type Me = z.infer<typeof me>;

/** PCI DSS 4.0.1, 8.3.6. */
export const MIN_PASSWORD_LENGTH = 12;

/** Whether a password that a person chooses is long enough, with a letter and a digit. */
function isStrong(chosen: string): boolean {
  return [...chosen].length >= MIN_PASSWORD_LENGTH && /\p{L}/u.test(chosen) && /\p{N}/u.test(chosen);
}

/** The body of `POST /console/api/own/password`. `code` is of the second factor, if the person has one. */
export const passwordBody = z
  .strictObject({
    password,
    new_password: password.refine(isStrong, 'must have 12 characters or more, a letter and a digit among them'),
    code: code.optional(),
  })
  .refine((body) => body.new_password !== body.password, {
    path: ['new_password'],
    error: 'must differ from the current one',
  });

/** The body of `POST /console/api/own/second-factor`. */
export const enrolBody = z.strictObject({ password });

/** The body of `POST /console/api/own/second-factor/confirm`: `enrolment` as the relay gave it, and a code of the app. */
export const confirmBody = z.strictObject({ enrolment: z.string().min(1).max(2000), code });

/** The body of `POST /console/api/own/second-factor/remove` and `…/recovery-codes`. */
export const factorBody = z.strictObject({ password, code });

/** The body of `POST /console/api/own/sign-ins/end`: one sign-in, or all but this one. */
export const endBody = z.strictObject({ id: z.string().min(1).max(64).optional() });

/** A secret for an authenticator app: as text, as an address, and as the SVG of a QR code. */
export const enrolment = z.object({ secret: z.string(), address: z.string(), qr: z.string(), enrolment: z.string() });
export type Enrolment = z.infer<typeof enrolment>;

/** The codes that replace a lost app, each for one use. They are shown once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** The answer to the confirmation of a second factor: the sign-in continues with a new token. */
export const enrolled = recoveryCodes.extend({ me });
export type Enrolled = z.infer<typeof enrolled>;

/** A sign-in of the person. */
const ownSignIn = z.object({
  id: z.string(),
  by: z.enum(['password', 'header']),
  created_at: z.string(),
  seen_at: z.string(),
  ip: z.string().optional(),
  is_current: z.literal(true).optional(),
});
export type OwnSignIn = z.infer<typeof ownSignIn>;

/** The answer of `GET /console/api/own`. `sign_ins` is empty for a person who must enrol first. */
export const own = z.object({
  /** Whether the person can sign in by a password, and so have a second factor. */
  has_password: z.boolean(),
  is_required: z.boolean(),
  factor: z.object({ enrolled_at: z.string(), recovery_codes: z.int() }).optional(),
  sign_ins: z.array(ownSignIn),
});
export type Own = z.infer<typeof own>;

/** A change: a webhook of this type was written. */
const change = z.object({
  type: z.string(),
  /** The session or operation of the webhook. */
  subject: z.string(),
  order_no: z.string().optional(),
});
export type Change = z.infer<typeof change>;

/**
 * The data of the event `alive` of a stream. A stream without a cursor begins with the changes of the last 15 seconds.
 * `missed`: there were too many of them, and they are not sent.
 */
export type Alive = { missed?: true };

/** The JSON answer of `GET /console/api/<account>/live`. `next` is the `since` of the next request. A change may be sent twice. */
export const changes = z.object({ changes: z.array(change), next: z.string() });
export type LiveChanges = z.infer<typeof changes>;

/** The files in `dist/console`, as its `manifest.json` names them: each is served at `/console/assets/`. */
export const consoleBuild = z.object({ script: z.string(), style: z.string(), chunks: z.array(z.string()) });
export type ConsoleBuild = z.infer<typeof consoleBuild>;
