import { Command } from 'commander';
import { z } from 'zod';
import type { SessionAnswer } from '../../client/index.ts';
import { sessionVerdicts, settleSession } from '../../shared/api/session.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { confirm, runOf } from '../base/command.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { amount, checked, given, once, wholeNumber } from '../base/options.ts';
import { readObject } from '../base/settings.ts';

/** `turnpike sessions create|get|update|expire|settle`. */
export function sessionsCommand(io: Io): Command {
  const sessions = new Command('sessions');
  sessions.addCommand(createCommand(io));

  sessions
    .command('get <session_id>')
    .description('show a session: its outcome, and its attempts')
    .option('--link', 'print its checkout_url alone: everyone who has it can pay, and sees what the form shows')
    .action(async (id: string, _options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, { link: z.boolean().default(false) });
      const session = await (await client()).sessions.get(id);
      if (!options.link) {
        const shown = withoutSecret(session);
        return out.record(shown, sessionFields(shown));
      }
      const { checkout_url } = session;
      if (checkout_url === undefined) {
        throw new CliError('session_final', `This session is over: ${session.status}.`, { exitCode: EXIT.refused });
      }
      out.record({ checkout_url }, { checkout_url });
    });

  sessions
    .command('update <session_id>')
    .description('change the order of a checkout while it is not being paid; fields that are not named stay')
    .option('--amount <amount>', 'what it costs now')
    .option('--currency <code>', 'in this currency')
    .option(
      '--file <file>',
      'a JSON file with all that PATCH /v1/sessions/{id} takes; - reads it from the standard input',
    )
    .addHelpText('after', '\nOptions go before what is in the file.')
    .action(async (id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, {
        amount: amount.optional(),
        currency: z.string().optional(),
        file: z.string().optional(),
      });
      const { file, currency } = run.options;
      const read = file === undefined ? {} : await readObject(io, file);
      const order = {
        ...(isObject(read.order) ? read.order : {}),
        ...given({ amount: run.options.amount, currency }),
      };
      const { updateSession } = await import('../../shared/checkout/session.ts');
      const body = checked(updateSession, { ...read, order });
      const changed = withoutSecret(await (await run.client()).sessions.update(id, body));
      run.out.record(changed, sessionFields(changed));
    });

  sessions
    .command('expire <session_id>')
    .description('withdraw a checkout that is not being paid')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, { yes: z.boolean().default(false) });
      const client = await run.client();
      const { order_no, status, amount: sum, currency } = await client.sessions.get(id);
      await confirm(io, run.options, `Order ${order_no}, ${sum} ${currency}, is ${status}. Withdraw its checkout?`);
      const expired = withoutSecret(await client.sessions.expire(id));
      run.out.record(expired, sessionFields(expired));
    });

  sessions
    .command('settle <session_id>')
    .description('say whether an order was paid, after a look at the gateway’s records')
    .requiredOption('--outcome <outcome>', sessionVerdicts.join(', or '))
    .option('--transaction <id>', 'the transaction that paid it (needed for approved)')
    .option('--amount <amount>', 'what was paid, if not what was asked')
    .option('--currency <code>', 'in this currency, if not the order’s')
    .requiredOption('--note <text>', 'how you know')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, {
        outcome: z.enum(sessionVerdicts),
        transaction: z.string().optional(),
        amount: amount.optional(),
        currency: z.string().optional(),
        note: z.string(),
        ...once,
      });
      const { outcome, transaction, note, idempotencyKey, amount: paidAmount, currency } = run.options;
      const paid = { transaction_id: transaction, amount: paidAmount, currency };
      const body = checked(settleSession, { outcome, note, ...paid });
      const client = await run.client();
      const { order_no, status } = await client.sessions.get(id);
      await confirm(
        io,
        run.options,
        `Order ${order_no} is ${status}. Settle it as ${outcome}? The relay will act on this decision.`,
      );
      const settled = withoutSecret(await client.sessions.settle(id, body, { idempotencyKey }));
      run.out.record(settled, sessionFields(settled));
    });

  return sessions;
}

/** `turnpike sessions create`. */
function createCommand(io: Io): Command {
  return new Command('create')
    .description('open the checkout of an order, by options or from a file, or by both')
    .option('--order-no <order_no>', 'the order')
    .option('--amount <amount>', 'what it costs')
    .option('--currency <code>', 'in this currency')
    .option('--email <address>', 'of the shopper')
    .option('--return-url <url>', 'where the shopper goes afterwards')
    .option('--locale <tag>', 'the language of the form, such as pt-BR')
    .option('--expires-in <seconds>', 'how long it can be paid')
    .option('--file <file>', 'a JSON file with all that POST /v1/sessions takes; - reads it from the standard input')
    .option('--idempotency-key <key>', 'the same key and order again: it is done once (a random key)')
    .addHelpText('after', '\nOptions go before what is in the file.')
    .action(async (_options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, {
        orderNo: z.string().optional(),
        amount: amount.optional(),
        currency: z.string().optional(),
        email: z.string().optional(),
        returnUrl: z.string().optional(),
        locale: z.string().optional(),
        expiresIn: wholeNumber(1, 31_536_000).optional(),
        file: z.string().optional(),
        idempotencyKey: z.string().optional(),
      });
      const read = options.file === undefined ? {} : await readObject(io, options.file);
      const { orderNo, email, returnUrl, expiresIn, currency, locale, idempotencyKey } = options;
      const order = {
        ...(isObject(read.order) ? read.order : {}),
        ...given({ order_no: orderNo, amount: options.amount, currency, shopper_email: email }),
      };
      const { createSession } = await import('../../shared/checkout/session.ts');
      const body = { ...read, ...given({ return_url: returnUrl, locale, expires_in: expiresIn }), order };
      const session = await (await client()).sessions.create(checked(createSession, body), { idempotencyKey });
      out.record(session, {
        session: session.id,
        order: session.order_no,
        status: session.status,
        expires: session.expires_at,
        checkout_url: session.checkout_url,
      });
    });
}

/** A session without its client secret and address. */
function withoutSecret(session: SessionAnswer): Omit<SessionAnswer, 'client_secret' | 'checkout_url'> {
  const { client_secret: _secret, checkout_url: _url, ...shown } = session;
  return shown;
}

/** A session as fields for people: its status, then its attempts, a line each. */
function sessionFields(session: ReturnType<typeof withoutSecret>): Record<string, string | undefined> {
  const { id, status, order_no, amount, currency, refunded, attempts, unknown, pending, settled } = session;
  const waits = unknown ?? pending;
  return {
    session: id,
    status: (waits?.needs_attention ?? session.needs_attention) ? `${status}, needs attention` : status,
    reason: session.reason ?? unknown?.reason,
    order: order_no,
    amount: `${amount} ${currency}`,
    refunded: refunded && `${refunded} ${currency}`,
    transaction: session.transaction_id,
    card: session.card,
    subscription: session.recurring_id,
    'paid twice': session.paid_twice?.join(', '),
    created: session.created_at,
    expires: session.expires_at,
    'asked next': waits?.next_query_at,
    settled: settled && `by ${settled.by} at ${settled.at}: ${settled.note}`,
    ...Object.fromEntries(
      attempts.map(({ started_at, method, card, status: of, result }, at) => [
        `attempt ${at + 1}`,
        [started_at, method, card, of, result?.code, result?.message].filter(Boolean).join(' '),
      ]),
    ),
  };
}
