import { z } from 'zod';

/** The cases of an account that a recipient was sent and that still wait, and the number of each kind. */
const known = z.object({ cases: z.array(z.string()), counts: z.record(z.string(), z.number()) });
export type Known = z.infer<typeof known>;

/** The stored state of a recipient. */
const recipientState = z.object({
  accounts: z.record(z.string(), known).default({}),
  /** When the last alerts were sent, or when there were none to send. */
  at: z.string().optional(),
  /** The day of the last summary, as `2027-03-31`. */
  summary_of: z.string().optional(),
  /** The accounts whose summaries of a later day were accepted. */
  summed: z.object({ day: z.string(), accounts: z.array(z.string()) }).optional(),
  failures: z.number().default(0),
  failed_at: z.string().optional(),
});
export type RecipientState = z.infer<typeof recipientState>;

/** Reads the stored state of a recipient. */
export function readState(state: string): RecipientState {
  return recipientState.parse(JSON.parse(state));
}
