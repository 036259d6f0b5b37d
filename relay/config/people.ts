import { z } from 'zod';
import { limitedNames, PERSON_PREFIX } from '../../shared/api/console.ts';
import { scopes } from '../../shared/checkout/scopes.ts';
import { shopAmount } from '../../shared/gateway/amount-fields.ts';
import { inCurrency, withDecimals } from '../../shared/gateway/amounts.ts';
import { parseScrypt } from './scrypt.ts';

/** Amounts by currency. */
const amounts = z.record(
  z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as BRL'),
  shopAmount.transform((amount) => withDecimals(amount, 2)),
);

/** The people of the operations console, with their accounts and permissions. */
export const people = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200),
      password: z
        .string()
        .refine(
          (text) => parseScrypt(text) !== undefined,
          'must be a scrypt hash of at most 128 MiB; turnpike person new makes one',
        )
        .optional(),
      scopes: z.array(z.enum(scopes)).min(1),
      accounts: z.array(z.string()).min(1),
      /** The second factor is removed if the person set it up before this time. */
      second_factor_reset: z.iso
        .datetime({ offset: true, error: 'must be a time such as 2027-03-31T09:00:00Z' })
        .transform((time) => new Date(time).toISOString())
        .optional(),
      /** The maximum amounts that one request of the person may move. */
      limits: z.partialRecord(z.enum(limitedNames), amounts).optional(),
    }),
  )
  .default([]);

/** The amounts by currency above which a person types the amount again. */
export const confirmAbove = amounts;

/** The settings of a config file that the rules of the console need. */
type File = {
  console: {
    people: z.infer<typeof people>;
    trust_header?: string | undefined;
    listen?: Address | undefined;
    confirm_above?: z.infer<typeof confirmAbove> | undefined;
    approval: boolean;
  };
  accounts: readonly { id: string; api_keys: readonly { name: string }[] }[];
  trust_proxy: readonly string[];
  listen: Address;
};
type Address = { host: string; port: number };

/** Yields the problems of the console's settings. */
export function* consoleProblems({ console: settings, ...file }: File): Generator<string> {
  const { people, trust_header, listen, confirm_above = {}, approval } = settings;
  const ids = file.accounts.map(({ id }) => id);
  const names = new Set<string>();
  for (const [at, { name, password, accounts, limits = {} }] of people.entries()) {
    const own = name.normalize('NFKC').trim().toLowerCase();
    if (names.has(own)) yield `console.people.${at}.name: two people are called ${name}`;
    names.add(own);
    for (const [index, id] of accounts.entries()) {
      if (!ids.includes(id)) yield `console.people.${at}.accounts.${index}: there is no account ${id}`;
    }
    if (password === undefined && trust_header === undefined) {
      yield `console.people.${at}.password: must be given unless trust_header is; turnpike person new makes one`;
    }
    for (const [operation, max] of Object.entries(limits)) {
      yield* tooManyDecimals(`console.people.${at}.limits.${operation}`, max);
    }
  }
  if (trust_header !== undefined && file.trust_proxy.length === 0) {
    yield 'console.trust_header: has no effect: name the proxy that sends it in trust_proxy';
  }
  if (listen && listen.port !== 0 && listen.port === file.listen.port && listen.host === file.listen.host) {
    yield 'console.listen: is the relay’s own address; leave it out, or choose another';
  }
  yield* tooManyDecimals('console.confirm_above', confirm_above);
  if (approval && Object.keys(confirm_above).length === 0) {
    yield 'console.approval: has no effect: name the amounts above which a request needs it in confirm_above';
  }
  for (const [at, { api_keys }] of file.accounts.entries()) {
    for (const [index, { name }] of api_keys.entries()) {
      if (!name.startsWith(PERSON_PREFIX)) continue;
      yield `accounts.${at}.api_keys.${index}.name: must not begin with ${PERSON_PREFIX}, which stands for people`;
    }
  }
}

function* tooManyDecimals(path: string, amounts: z.infer<typeof confirmAbove>): Generator<string> {
  for (const [currency, amount] of Object.entries(amounts)) {
    if (inCurrency(amount, currency) === undefined) yield `${path}.${currency}: has more decimals than ${currency}`;
  }
}
