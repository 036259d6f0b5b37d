import { z } from 'zod';
import { fieldMessage, noSuchField } from '../../shared/messages/field-messages.ts';
import { UsageError } from './errors.ts';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `90s`, `30m`, `2h` or `7d`, in milliseconds. */
const span = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, 'must be a span such as 90s, 30m, 2h or 7d')
  .transform((text) => Number(text.slice(0, -1)) * (UNITS_MS[z.enum(['s', 'm', 'h', 'd']).parse(text.slice(-1))] ?? 0));

/** A moment: ISO 8601, a day (its beginning in UTC), or a duration before `now`. */
export function momentBefore(now: Date) {
  return z.union(
    [
      z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`)),
      span.transform((ms) => new Date(now.getTime() - ms)),
    ],
    { error: 'must be a time such as 2027-03-31T10:15:00Z or 2027-03-31, or a span such as 2h or 7d' },
  );
}

/** A whole number in a range. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

/** An amount: a decimal string such as 20.00. */
export const amount = z.string().regex(/^\d{1,15}(\.\d{1,10})?$/, 'must be an amount such as 20.00');

/** The entries of a list option, such as `a,b`. */
export const list = z.string().transform((text) => text.split(',').flatMap((part) => part.trim() || []));

/** The options of a list: `--limit` and `--all`. */
export const listed = { limit: wholeNumber(1, 1_000_000).default(20), all: z.boolean().default(false) };
export const limitOption = ['--limit <count>', 'list at most this many (default: 20)'] as const;
export const allOption = ['--all', 'list all of them'] as const;

/** The options of a command that must have one effect: `--idempotency-key` and `--yes`. */
export const once = { idempotencyKey: z.string().optional(), yes: z.boolean().default(false) };

/** The entries that have a value. */
export function given(entries: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/**
 * A valid request body, without entries that have no value. Throws UsageError with each field that the relay would
 * refuse; nothing was sent then.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const parsed = schema.safeParse(given(body), { error: fieldMessage, reportInput: true });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    const at = (path: readonly PropertyKey[], says: string): string =>
      path.length > 0 ? `${path.map(String).join('.')}: ${says}` : says;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => at([...issue.path, key], noSuchField(key, issue.message)));
    }
    const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
    return [at(issue.path, isMissing ? 'is missing' : issue.message)];
  });
  throw new UsageError(`The relay would refuse this. ${faults.join('; ')}`, 'Nothing was sent.');
}
