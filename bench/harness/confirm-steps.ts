import { z } from 'zod';

/** The steps of a confirmation: the query and its answer, or the query with all work that follows. */
export const confirmSteps = z.enum(['asked', 'whole']);
export type ConfirmStep = z.infer<typeof confirmSteps>;
