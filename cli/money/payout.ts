import { Command } from 'commander';
import { z } from 'zod';
import { operations } from '../../shared/gateway/operations.ts';
import { runOf } from '../base/command.ts';
import { type ExitCode, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { checked, given, once } from '../base/options.ts';
import { readObject } from '../base/settings.ts';
import { carryOut, textIn } from './carry-out.ts';

const { body: payoutBody } = operations.payout.route;
type Payout = z.output<typeof payoutBody>;

/** The fields of a payout that are one text each, with their options. */
const fields = [
  ['beneficiary_id', '--beneficiary-id <id>', 'to whom: a beneficiary whom the gateway knows'],
  ['payment_amount', '--payment-amount <amount>', 'what the beneficiary is paid'],
  ['payment_currency', '--payment-currency <code>', 'in this currency'],
  ['source_amount', '--source-amount <amount>', 'or what you pay'],
  ['source_currency', '--source-currency <code>', 'in this currency'],
  ['reference', '--reference <text>', 'what the beneficiary reads'],
  ['reason', '--reason <text>', 'why'],
  ['payment_date', '--payment-date <day>', 'when: 2027-03-31'],
  ['payment_method', '--payment-method <name>', 'how, such as SWIFT'],
  ['swift_charge_option', '--swift-charge-option <name>', 'such as SHARED'],
  ['fee_paid_by', '--fee-paid-by <name>', 'such as PAYER'],
  ['fund_source', '--fund-source <name>', 'such as DepositAccount'],
  ['client_data', '--client-data <text>', 'your own data, which the gateway returns'],
  ['notify_url', '--notify-url <url>', 'address for the gateway’s notifications (default: the relay)'],
  ['request_id', '--request-id <uuid>', 'names this payout alone (a random UUID)'],
] as const;

/** `turnpike payout`. */
export function payoutCommand(io: Io, ends: (code: ExitCode) => void): Command {
  const payout = new Command('payout').option(
    '--file <file>',
    'a JSON file with the fields of the payout; - reads it from the standard input',
  );
  for (const [, flags, description] of fields) payout.option(flags, description);
  return payout
    .option('--idempotency-key <key>', 'the same key and payout again: it is done once (the request_id)')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nOptions go before the fields of the file. Its `beneficiary` and `payer` have no options.')
    .action(async (_options: unknown, self: Command) => {
      const run = runOf(io, self, { file: z.string().optional(), ...once });
      const { file, idempotencyKey } = run.options;
      const asked = { ...(file === undefined ? {} : await readObject(io, file)), ...fieldsOf(self.opts()) };
      if (idempotencyKey !== undefined && asked.request_id === undefined) {
        throw new UsageError(
          '--idempotency-key needs --request-id.',
          'Without it, a repetition would have another request_id, and be another payout.',
        );
      }
      const body = checked(payoutBody, { request_id: crypto.randomUUID(), ...asked });
      const { request_id } = body;
      const client = await run.client();
      const code = await carryOut(run, client, {
        question: `Pay out ${amountOf(body)} to ${beneficiaryOf(body)}?`,
        key: idempotencyKey ?? request_id,
        options: { '--request-id': request_id },
        send: (post) => client.payout(body, post),
        fields: ({ result }) => ({
          amount: amountOf(body),
          beneficiary: beneficiaryOf(body),
          status: textIn(result, 'status'),
          failure: textIn(result, 'failure_reason'),
          transaction: textIn(result, 'transaction_id'),
          request: request_id,
        }),
      });
      ends(code);
    });
}

function fieldsOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const optionOf = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return given(Object.fromEntries(fields.map(([name]) => [name, options[optionOf(name)]])));
}

function amountOf({ payment_amount, payment_currency, source_amount, source_currency }: Payout): string {
  const paid = payment_amount === undefined ? [] : [`${payment_amount} ${payment_currency}`];
  const source = source_amount === undefined ? [] : [`${source_amount} ${source_currency}`];
  return [...paid, ...source].join(' from ');
}

function beneficiaryOf({ beneficiary_id, beneficiary = {} }: Payout): string {
  const { company_name, first_name, last_name } = beneficiary;
  const person = [first_name, last_name].filter(Boolean).join(' ');
  return beneficiary_id ?? (company_name || person || 'the beneficiary of the file');
}
