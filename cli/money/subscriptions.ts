import { Command } from 'commander';
import { z } from 'zod';
import type { SubscriptionAnswer } from '../../client/index.ts';
import { acknowledgeSubscription } from '../../shared/api/subscription.ts';
import { END_OF_CONTRACT } from '../../shared/gateway/end-of-contract.ts';
import { operations } from '../../shared/gateway/operations.ts';
import { pageSize, runOf, someOf } from '../base/command.ts';
import { CliError, EXIT, type ExitCode } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { allOption, checked, limitOption, listed, once } from '../base/options.ts';
import type { Column } from '../base/output.ts';
import { carryOut, textIn } from './carry-out.ts';

/** `turnpike subscriptions list|get|cancel|acknowledge`. */
export function subscriptionsCommand(io: Io, ends: (code: ExitCode) => void): Command {
  const subscriptions = new Command('subscriptions');

  subscriptions
    .command('list')
    .description('list contracts, the newest first, with the next charge to expect')
    .option('--order-no <order_no>', 'only the contract that this order’s payment began')
    .option('--email <address>', 'only contracts of the shopper with this e-mail address')
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, {
        orderNo: z.string().optional(),
        email: z.string().optional(),
        ...listed,
      });
      const filter = { order_no: options.orderNo, email: options.email, limit: pageSize(options) };
      await out.rows(someOf((await client()).subscriptions.each(filter), options), columns);
    });

  subscriptions
    .command('get <recurring_id>')
    .description('show one contract: its terms, its charges, and its end')
    .action(async (recurring_id: string, _options: unknown, self: Command) => {
      const { out, client } = runOf(io, self, {});
      const [contract] = (await (await client()).subscriptions.list({ recurring_id })).subscriptions;
      if (!contract) {
        throw new CliError('not_found', 'The relay knows no such contract.', { exitCode: EXIT.refused });
      }
      out.record(contract, contractFields(contract));
    });

  subscriptions
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

  subscriptions
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

  return subscriptions;
}

const columns: readonly Column<SubscriptionAnswer>[] = [
  { name: 'SUBSCRIPTION', cell: ({ recurring_id }) => recurring_id },
  { name: 'STATUS', cell: ({ status }) => status },
  { name: 'ORDER', cell: ({ order_no }) => order_no },
  { name: 'CHARGES', cell: ({ later_charges }) => String(later_charges + 1) },
  { name: 'FAILED', cell: ({ failures }) => String(failures) },
  { name: 'NEXT', cell: ({ next_charge }) => next_charge && nextText(next_charge) },
  { name: 'STARTED', cell: ({ started_at }) => started_at },
];

function nextText({ date, amount, currency }: NonNullable<SubscriptionAnswer['next_charge']>): string {
  return `${date} ${amount} ${currency}`;
}

function chargeText({ at, amount, currency, order_no }: SubscriptionAnswer['first_charge']): string {
  return `${at} ${amount} ${currency}, order ${order_no}`;
}

/** A contract as fields for people. */
function contractFields(contract: SubscriptionAnswer): Record<string, string | undefined> {
  const { last_charge, last_failure, next_charge, end, failures } = contract;
  return {
    subscription: contract.recurring_id,
    name: contract.contract_name,
    status: contract.status,
    order: contract.order_no,
    card: contract.card,
    shopper: contract.shopper_email,
    'first charge': chargeText(contract.first_charge),
    'last charge': last_charge && chargeText(last_charge),
    'later charges': String(contract.later_charges),
    'failed charges': String(failures),
    'last failure':
      last_failure && `${chargeText(last_failure)}: ${last_failure.result.code} ${last_failure.result.message}`,
    'acknowledged by': last_failure?.acknowledged?.by,
    'next charge': next_charge && `${nextText(next_charge)}, by the ${next_charge.by}`,
    end: end && `${end.operation_id} by ${end.by} at ${end.at}: ${end.outcome ?? end.status}`,
  };
}
