import type { z } from 'zod';
import { UsageError } from './errors.ts';

/**
 * A body as the relay takes it; entries without a value are left out. Throws UsageError that names each field which the relay
 * would refuse: nothing was sent.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const says = message.endsWith('received undefined') ? 'is missing' : message;
    return path.length > 0 ? `${path.join('.')}: ${says}` : says;
  });
  throw new UsageError(`The relay would refuse this. ${faults.join('; ')}`, 'Nothing was sent.');
}
