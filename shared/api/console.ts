import { z } from 'zod';
import { scopes } from '../checkout/scopes.ts';

/** The header in which the console's page proves that it sent a request: `Me.csrf`. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** The header of a request that the page made by itself, without the user: it does not prolong a sign-in. */
export const IDLE_HEADER = 'X-Idle';

/**
 * The header in which the console's page says, as a decimal, what was refunded of a payment when the person read so: a refund that
 * another person began meanwhile refuses theirs.
 */
export const REFUNDED_HEADER = 'X-Refunded-Before';

/** How those who signed in to the console are named beside API keys, none of which is named so. */
export const PERSON_PREFIX = 'person:';

/** What `POST /console/api/sign-in` takes. */
export const signInBody = z.strictObject({ name: z.string().min(1).max(200), password: z.string().min(1).max(1000) });

/** Who is signed in to the console, and what they may do in each of their accounts. */
export const me = z.object({
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** `live`: it reports changes. Where it does not, for want of a webhook, the page asks now and then. */
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  /** By currency, as decimals: from more than so much on the person types the amount before money moves. */
  confirm_above: z.record(z.string(), z.string()).optional(),
  csrf: z.string(),
});
export type Me = z.infer<typeof me>;

/** Something that changed: a webhook of this type was written. */
const change = z.object({
  type: z.string(),
  /** The session or operation that it is about. */
  subject: z.string(),
  order_no: z.string().optional(),
});
export type Change = z.infer<typeof change>;

/**
 * What the event `alive` of a stream says. A stream without a cursor begins with the changes of the last 15 seconds; `missed`: these are too
 * many, and not told.
 */
export type Alive = { missed?: true };

/** What `GET /console/api/<account>/live` answers as JSON. `next` is the `since` of the next request. A change may be told twice. */
export const changes = z.object({ changes: z.array(change), next: z.string() });
export type LiveChanges = z.infer<typeof changes>;

/** The files in `dist/console`, as its `manifest.json` names them: each is served at `/console/assets/`. */
export const consoleBuild = z.object({ script: z.string(), style: z.string(), chunks: z.array(z.string()) });
export type ConsoleBuild = z.infer<typeof consoleBuild>;
