import { z } from 'zod';

/** How far a relay's clock is behind: told by its parent, and told back once it is so. */
export const clockMessage = z.object({ type: z.literal('clock'), behindMs: z.int() });
export type ClockMessage = z.infer<typeof clockMessage>;
