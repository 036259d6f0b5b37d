import { createHash, randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { z } from 'zod';
import { hashPassword } from '../../relay/config/scrypt.ts';
import { type Scope, scopes } from '../../shared/checkout/scopes.ts';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { list } from '../base/options.ts';

/** The number of random bytes in a key or a secret, equal to the length of their hashes. */
const RANDOM_BYTES = 32;

/** An API key, and the entry of `accounts[].api_keys` that accepts it. The entry does not reveal the key. */
type NewKey = { key: string; entry: { name: string; sha256: string; scopes: readonly Scope[] } };

/** A person who signs in to the console: the entry of `console.people` contains a hash of the password. */
type Person = { name: string; password: string; scopes: readonly Scope[]; accounts: readonly string[] };

/** 32 MiB for each guess, which a relay must have for each sign-in, too. OWASP rates it like 128 MiB and `p` 1. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3 };

/** The scopes that a shop's server needs for payments. Scopes that move money back must be requested by name. */
const SHOP_SCOPES: Scope[] = ['sessions', 'payments', 'query', 'events'];

const name = z.string().min(1, 'must not be empty').max(200);
const scopeList = list.pipe(z.array(z.enum(scopes, `must be some of ${scopes.join(', ')}`)).min(1, 'must name one'));

/** `turnpike key new`. */
export function keyCommand(io: Io): Command {
  const key = new Command('key');
  key
    .command('new')
    .description('make an API key, and its entry for the relay’s settings')
    .option('--name <name>', 'what the key is for', 'server')
    .option('--scopes <scopes>', `what it may do, separated by commas: ${scopes.join(', ')}`, SHOP_SCOPES.join(','))
    .action((_options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, { name, scopes: scopeList });
      const made = newKey(options.name, options.scopes);
      out.record(made, { key: made.key, entry: JSON.stringify(made.entry) });
      out.say(
        'Keep the key now: it is shown this once. The entry goes into accounts[].api_keys of the relay’s settings.',
      );
    });
  return key;
}

/** `turnpike secret new`. */
export function secretCommand(io: Io): Command {
  const secret = new Command('secret');
  secret
    .command('new')
    .description('make a secret to sign webhooks with')
    .action((_options: unknown, command: Command) => {
      const { out } = runOf(io, command, {});
      const made = newWebhookSecret();
      out.record({ secret: made }, { secret: made });
      out.say(
        'The relay (accounts[].webhook.secrets) and the shop need it. While both have the old one too, none is lost.',
      );
    });
  return secret;
}

/** `turnpike person new`. */
export function personCommand(io: Io): Command {
  const person = new Command('person');
  person
    .command('new')
    .description('make a password for the console, and its entry for the relay’s settings')
    .option('--name <name>', 'the name of the person')
    .option('--accounts <ids>', 'the accounts that the person may work with, by their ids in the relay’s settings')
    .option('--scopes <scopes>', `what the person may do, separated by commas: ${scopes.join(', ')}`, 'console')
    .action(async (_options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, {
        name: z.string('must be given').pipe(name),
        accounts: z.string('must be given').pipe(list).pipe(z.array(z.string()).min(1, 'must name one')),
        scopes: scopeList,
      });
      const made = await newPerson(options);
      out.record(made, { password: made.password, entry: JSON.stringify(made.entry) });
      out.say(
        'Keep the password now: it is shown this once. The entry goes into console.people of the relay’s settings.',
      );
    });
  return person;
}

/** Makes an API key. */
function newKey(name: string, scopes: readonly Scope[]): NewKey {
  // A letter first, because a key that begins with a hyphen could be read as an option.
  const key = `tpk_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return { key, entry: { name, sha256: createHash('sha256').update(key).digest('hex'), scopes } };
}

/** Creates a secret for webhooks, in the form of Standard Webhooks. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`;
}

/** Creates a password of 144 random bits, and the entry of its person. */
async function newPerson(person: Omit<Person, 'password'>): Promise<{ password: string; entry: Person }> {
  const password = randomBytes(18).toString('base64url');
  const { name, scopes, accounts } = person;
  return {
    password,
    entry: { name, password: await hashPassword(password, PASSWORD_COST, randomBytes(16)), scopes, accounts },
  };
}
