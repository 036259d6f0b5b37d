import type { OperationAnswer, OperationSummary } from '../../shared/api/operation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { operationAnswer } from '../commit/operation-answer.ts';
import type { Context } from '../context/context.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';

/**
 * The answer of `GET /v1/operations/:id`; that of a payout also has the state of its notifications. Throws StoreError.
 */
export async function wholeAnswer(context: Context, operation: StoredOperation): Promise<OperationAnswer> {
  const [payout] = await payoutsOf(context, [operation]);
  return { ...operationAnswer(operation), ...(payout ? { payout } : {}) };
}

/**
 * The entries of the list of operations. They leave out the gateway's long messages, and contain only the data that
 * identifies a payout's payee. Throws StoreError.
 */
export async function summaries(context: Context, operations: readonly StoredOperation[]): Promise<OperationSummary[]> {
  const payouts = await payoutsOf(context, operations);
  return operations.map((operation, at) => {
    const { answer: _, evidence: __, ...summary } = operationAnswer(operation);
    const payout = payouts[at];
    return payout ? { ...summary, request: shortRequest(operation.request), payout } : summary;
  });
}

/** The status and notifications of each payout; undefined for other operations. */
async function payoutsOf(
  { store }: Context,
  operations: readonly StoredOperation[],
): Promise<OperationAnswer['payout'][]> {
  const ids = operations.filter(({ name }) => name === 'payout').map(({ id }) => id);
  const notified = ids.length === 0 ? [] : await store.notifications.listNewest(ids, 1);
  return operations.map(({ id, name, state }) => {
    if (name !== 'payout') return undefined;
    const status = 'answer' in state ? state.answer?.status : undefined;
    const { count = 0, newest = [] } = notified.find(({ subject }) => subject === id) ?? {};
    const last = newest.at(-1)?.last_at;
    return {
      ...(typeof status === 'string' ? { payout_status: status } : {}),
      notifications: count,
      ...(last === undefined ? {} : { notified_at: last }),
    };
  });
}

/** The payee, amount and purpose in a payout's request; account numbers are cut to their last four characters. */
function shortRequest({ beneficiary, payer: _, client_data: __, notify_url: ___, ...request }: Message): Message {
  if (!isObject(beneficiary)) return request;
  const { bank_details } = beneficiary;
  const own = texts(beneficiary, ['entity_type', 'company_name', 'first_name']);
  const { last_name } = texts(beneficiary, ['last_name']);
  const bank = isObject(bank_details) ? bank_details : {};
  const masked = Object.entries(texts(bank, ['account_number', 'iban'])).map(([name, text]) => [name, ending(text)]);
  return {
    ...request,
    beneficiary: {
      ...own,
      ...(last_name ? { last_name: `${[...last_name][0]}.` } : {}),
      bank_details: { ...texts(bank, ['bank_name', 'bank_country_code']), ...Object.fromEntries(masked) },
    },
  };
}

function texts(of: object, names: readonly string[]): Record<string, string> {
  const found = names.map((name): [string, unknown] => [name, Reflect.get(of, name)]);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The last characters of an account number, at most half of it: enough to distinguish two payees. */
function ending(text: string): string {
  const plain = text.replace(/\s/g, '');
  const shown = plain.length > 7 ? 4 : plain.length > 3 ? 2 : 0;
  return shown === 0 ? '••••' : `•••• ${plain.slice(-shown)}`;
}
