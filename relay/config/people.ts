import { z } from 'zod';
import { scopes } from '../../shared/checkout/scopes.ts';

/** A hash in the PHC string format: 16 bytes of salt or more, and 32 bytes of hash. */
const SCRYPT = /^\$scrypt\$ln=\d{1,2},r=\d{1,2},p=\d{1,2}\$[A-Za-z0-9+/]{22,86}\$[A-Za-z0-9+/]{43}$/;

/** Who may sign in to the operations console, for which accounts, and what each may do there. */
export const people = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200),
      password: z.string().regex(SCRYPT, 'must be a scrypt hash; turnpike person new makes one'),
      scopes: z.array(z.enum(scopes)).min(1),
      accounts: z.array(z.string()).min(1),
    }),
  )
  .default([]);

/** What is wrong with people among the file's accounts: names that stand twice, and accounts that there are none of. */
export function* peopleProblems(named: z.infer<typeof people>, accountIds: readonly string[]): Generator<string> {
  const names = new Set<string>();
  for (const [at, { name, accounts }] of named.entries()) {
    if (names.has(name)) yield `console.people.${at}.name: two people are called ${name}`;
    names.add(name);
    for (const [index, id] of accounts.entries()) {
      if (!accountIds.includes(id)) yield `console.people.${at}.accounts.${index}: there is no account ${id}`;
    }
  }
}
