import { Command } from 'commander';
import { z } from 'zod';
import { acknowledgeSubscription } from '../../shared/api/subscription.ts';
import { END_OF_CONTRACT } from '../../shared/gateway/end-of-contract.ts';
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

/** `turnpike subscription cancel|acknowledge`. */
export function subscriptionCommand(io: Io, ends: (code: ExitCode) => void): Command {
  const subscription = new Command('subscription');

  subscription
    .command('cancel <recurring_id>')
    .description(`end a contract. ${END_OF_CONTRACT}`)
    .option('--contract-name <name>', 'its name, which the gateway checks')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (recurring_id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, { contractName: z.string().optional(), ...once });
      const { contractName: contract_name, idempotencyKey } = run.options;
      const body = checked(operations.subscription_cancel.route.body, { recurring_id, contract_name });
      const client = await run.client();
      const code = await carryOut(run, client, {
        question: `End the subscription ${recurring_id}? It cannot be taken back. ${END_OF_CONTRACT}`,
        key: idempotencyKey ?? crypto.randomUUID(),
        options: {},
        send: (post) => client.subscriptionCancel(body, post),
        fields: ({ result }) => ({
          subscription: recurring_id,
          status: textIn(result, 'cancel_status'),
          message: textIn(result, 'error_message'),
        }),
      });
      ends(code);
    });

  subscription
    .command('acknowledge <recurring_id>')
    .description('say that you are done with the charges of a contract that failed; nothing is sent to the gateway')
    .requiredOption('--note <text>', 'what was done, such as “asked for another card”')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .action(async (recurring_id: string, _options: unknown, self: Command) => {
      const { options, client, out } = runOf(io, self, { note: z.string(), idempotencyKey: z.string().optional() });
      const body = checked(acknowledgeSubscription, { note: options.note });
      const { idempotencyKey } = options;
      const contract = await (await client()).subscriptions.acknowledge(recurring_id, body, { idempotencyKey });
      const { status, order_no, failures, last_failure } = contract;
      const { result, acknowledged } = last_failure ?? {};
      out.record(contract, {
        ...{ subscription: recurring_id, status, order: order_no, 'failed charges': String(failures) },
        'last failure': result && `${result.code} ${result.message}`,
        'acknowledged by': acknowledged?.by,
      });
    });

  return subscription;
}
