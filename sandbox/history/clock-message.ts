import { z } from 'zod';

/** How far a relay's clock is behind. The parent sends it, and the relay returns it once the clock is set. */
export const clockMessage = z.object({ type: z.literal('clock'), behindMs: z.int() });
export type ClockMessage = z.infer<typeof clockMessage>;
