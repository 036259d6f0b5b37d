import { z } from 'zod';

/** `result_info` of §2.2, split at its first colon; a message without card data. */
export const result = z
  .object({
    code: z.string().meta({ description: 'The gateway’s code, such as `0000`.' }),
    message: z.string().meta({ description: 'The gateway’s message.' }),
  })
  .meta({ name: 'Result', description: 'A code and words of the gateway.' });
export type Result = z.infer<typeof result>;
