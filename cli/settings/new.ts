import { Command } from 'commander';
import { z } from 'zod';
import { type Scope, scopes } from '../../shared/checkout/scopes.ts';
import { runOf } from '../base/cli.ts';
import type { Io } from '../base/io.ts';
import { list } from '../base/options.ts';
import { newKey, newPerson, newWebhookSecret } from './make.ts';

/** What a shop's server needs to be paid. Moving money back is asked for by name. */
const SHOP_SCOPES: Scope[] = ['sessions', 'payments', 'query', 'events'];

const name = z.string().min(1, 'must not be empty').max(200);
const scopeList = list.pipe(z.array(z.enum(scopes, `must be some of ${scopes.join(', ')}`)).min(1, 'must name one'));

/** `turnpike key new`. */
export function keyCommand(io: Io): Command {
  const key = new Command('key').description('make API keys for the relay');
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
  const secret = new Command('secret').description('make secrets for webhooks');
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
  const person = new Command('person').description('make people who may sign in to the console');
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
