import { holdsMaskedCard, mayHoldCard } from '../../shared/card-data/mask.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { identifyingFields, withoutCards } from '../gateway/identifying-fields.ts';
import { isSigned } from '../gateway/signing/signer.ts';
import { unlistable } from '../gateway/wire-forms.ts';
import type { NotificationContent } from '../store/facets/notifications.ts';

/** The maximum number of names in a notification. */
const MAX_NAMES = 20;

/** The depth to which a message is searched for names: the entries of a list. */
const MAX_DEPTH = 3;

/** The maximum length of a stored message; of a longer one only the identifying fields are stored. */
const MAX_KEPT = 16_384;

/** The operations whose answers may be signed like a notification. */
const signedLike: readonly OperationName[] = ['direct_payment', 'apm_payment', 'refund'];

/** The content of a notification about a session's payment, which is reported to the shop. Throws StoreError. */
export async function notificationContent(
  context: Context,
  account: Account,
  sessionId: string,
  message: Message = {},
): Promise<NotificationContent> {
  const verified = await isVerified(context, account, message);
  const isTrusted = verified && !(await holdsOwnCard(context, sessionId, message));
  const named = namesIn(message, isTrusted, context.config.gateway.profile.list_separator);
  return { verified, fields: keptFields(message, isTrusted), ...named };
}

/** Whether a message contains the number of a card from an attempt of the session's order. */
async function holdsOwnCard({ store }: Context, sessionId: string, message: Message): Promise<boolean> {
  const text = JSON.stringify(message);
  if (!mayHoldCard(text)) return false;
  const order = await store.orders.ofSession(sessionId);
  return order?.attempts.some(({ card = '' }) => holdsMaskedCard(text, card)) === true;
}

async function isVerified({ signer }: Context, account: Account, message: Message): Promise<boolean> {
  if (!isFor(account, message)) return false;
  for (const name of signedLike) if (await isSigned(signer, name, message, account.signingSecret)) return true;
  return false;
}

/** False for a message that names another account. */
function isFor({ merchant_id, account_id }: Account, message: Message): boolean {
  return (message.merchant_id ?? merchant_id) === merchant_id && (message.account_id ?? account_id) === account_id;
}

function keptFields({ encryption_data: _, ...message }: Message, isTrusted: boolean): Message {
  const masked = withoutCards(message, isTrusted);
  return JSON.stringify(masked).length <= MAX_KEPT ? masked : identifyingFields(message, isTrusted);
}

/** The orders and transactions that a message names; masked values are no names. */
function namesIn(
  message: Message,
  isTrusted: boolean,
  separator: string,
): Pick<NotificationContent, 'orders' | 'trades' | 'refund'> {
  const orders = new Set<string>();
  const trades = new Set<string>();
  let isRefund = false;
  const read = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, MAX_NAMES)) read(entry, depth + 1);
      return;
    }
    if (!isObject(value)) return;
    const { order_no, transaction_id, refund_reference_id } = identifyingFields(value, isTrusted);
    if (isName(order_no, value.order_no, separator)) orders.add(order_no);
    if (isName(transaction_id, value.transaction_id, separator)) trades.add(transaction_id);
    if (refund_reference_id !== undefined) isRefund = true;
    for (const inner of Object.values(value)) read(inner, depth + 1);
  };
  read(message, 0);
  return {
    orders: [...orders].slice(0, MAX_NAMES),
    trades: [...trades].slice(0, MAX_NAMES),
    ...(isRefund ? { refund: true } : {}),
  };
}

/** Whether the name is not masked and is permitted in a list (§4.6). */
function isName(kept: string | undefined, given: unknown, separator: string): kept is string {
  return kept !== undefined && kept === given && unlistable([kept, kept], separator) < 0;
}
