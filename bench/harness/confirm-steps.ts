import { z } from 'zod';

/** What a relay does to confirm payments: it asks the gateway and reads the answer, or does that and all that follows. */
export const confirmSteps = z.enum(['asked', 'whole']);
export type ConfirmStep = z.infer<typeof confirmSteps>;
