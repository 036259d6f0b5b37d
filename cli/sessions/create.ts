import { Command } from 'commander';
import { z } from 'zod';
import { isObject } from '../../shared/checkout/is-object.ts';
import { checked } from '../base/checked.ts';
import { runOf } from '../base/cli.ts';
import { readObject } from '../base/files.ts';
import type { Io } from '../base/io.ts';
import { amount, wholeNumber } from '../base/options.ts';

/** `turnpike sessions create`. */
export function createCommand(io: Io): Command {
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
      const order = withGiven(isObject(read.order) ? read.order : {}, {
        order_no: options.orderNo,
        amount: options.amount,
        currency: options.currency,
        shopper_email: options.email,
      });
      const body = withGiven(read, {
        return_url: options.returnUrl,
        locale: options.locale,
        expires_in: options.expiresIn,
      });
      const { createSession } = await import('../../shared/checkout/session.ts');
      const { idempotencyKey } = options;
      const post = idempotencyKey === undefined ? {} : { idempotencyKey };
      const session = await client().sessions.create(checked(createSession, { ...body, order }), post);
      out.record(session, {
        session: session.id,
        order: session.order_no,
        status: session.status,
        expires: session.expires_at,
        checkout_url: session.checkout_url,
      });
    });
}

/** An object with those entries replaced that have a value. */
function withGiven(object: Record<string, unknown>, entries: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  return { ...object, ...Object.fromEntries(given) };
}
