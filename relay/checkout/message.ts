import { isObject } from '../../shared/checkout/is-object.ts';
import type { PayByApm, PayByCard, PayByToken } from '../../shared/checkout/pay.ts';
import { apmPaymentRequest } from '../../shared/gateway/apm-payment.ts';
import { directPaymentRequest } from '../../shared/gateway/direct-payment.ts';
import { itemsText } from '../../shared/gateway/items.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { notificationToken } from '../base/keys.ts';
import type { Account, Config } from '../config/load.ts';
import type { Session } from '../payments/session.ts';
import { deviceFields, type RequestFacts } from './fields/device.ts';

export type PayBody = PayByCard | PayByToken | PayByApm;

/** The parts of a payment's message, with the session. */
type Parts = {
  session: Session;
  account: Account;
  publicUrl: Config['public_url'];
  body: PayBody;
  facts: RequestFacts;
  deviceId: string;
  now: Date;
};

/** The message to the gateway, by its spec names: the shop's order, the shopper's input, and the relay's own values. */
export type PaymentMessage = {
  operation: 'direct_payment' | 'apm_payment';
  message: Message;
};

const directFields = new Set(Object.keys(directPaymentRequest.shape));
const apmFields = new Set(Object.keys(apmPaymentRequest.shape));

/**
 * Builds the message of §2.1 or §2.3 from the fields of its table only; the signature is added later. The parts were
 * checked when they arrived, and message.test.ts checks that the message then follows its schema. Checking each message
 * would take three quarters of the time (`npm run bench -- relay`).
 */
export function paymentMessage(parts: Parts): PaymentMessage {
  const { session, account, publicUrl, body, facts, now } = parts;
  const { order } = session.terms;
  const isApm = 'payment_method' in body;
  const message = tableFields(isApm ? apmFields : directFields, [
    hasChosenPlan(body) ? { ...order, installments: undefined, installments_id: undefined } : order,
    body,
    // The shop's decision about a token takes precedence.
    { token_flag: order.token_flag },
    mergedPerson(session, body),
    { items: order.items && itemsText(order.items) },
    deviceFields(body.device ?? {}, facts, () => parts.deviceId),
    // The shop's values take precedence over those of the browser.
    {
      device_type: order.device_type,
      challenge_window_size: order.challenge_window_size,
      antifraud_token_cookie: order.antifraud_token_cookie,
    },
    {
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      shopper_ip: facts.shopper_ip,
      notify_url: `${publicUrl}/notify/payment/${session.id}/${notificationToken(account, 'payment', session.id)}`,
      return_url: `${publicUrl}/return/${session.id}`,
      user_agent: facts.user_agent || undefined,
      // The script's own request has another Accept header than the browser's request for the page.
      accept: (body.device?.accept ?? facts.accept) || undefined,
      checkout_time: Math.floor(now.getTime() / 1000),
    },
  ]);
  return { operation: isApm ? 'apm_payment' : 'direct_payment', message };
}

/** The fields of the table that have a value in a source; the later source takes precedence. */
function tableFields(table: ReadonlySet<string>, sources: readonly Message[]): Message {
  const message: Record<string, unknown> = {};
  for (const source of sources) {
    for (const name in source) {
      if (source[name] !== undefined && table.has(name)) message[name] = source[name];
    }
  }
  return message;
}

/** A chosen plan replaces the order's installments_id, too. */
function hasChosenPlan(body: PayBody): boolean {
  return !('payment_method' in body) && (body.installments !== undefined || body.installments_id !== undefined);
}

/** Keeps the shop's data about the person, except the fields that the method requests from the shopper. */
function mergedPerson(session: Session, body: PayBody): Message {
  const known = session.terms.order.person;
  if (!known || !('payment_method' in body) || !body.person) return {};
  const method = session.terms.methods.find(
    (offered) => offered.type === 'apm' && offered.payment_method === body.payment_method,
  );
  const asked = method?.type === 'apm' ? (method.fields ?? []) : [];
  const isAsked = (path: string): boolean => asked.some((one) => `${path}.`.startsWith(`${one}.`));
  return { person: merged(known, body.person, 'person', isAsked) };
}

/** Returns an object with the additions of another one, and with its values at the requested paths. */
function merged(known: object, typed: object, under: string, isAsked: (path: string) => boolean): object {
  const result: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(typed)) {
    const [before, path]: [unknown, string] = [result[name], `${under}.${name}`];
    if (isObject(before) && isObject(value)) result[name] = merged(before, value, path, isAsked);
    else if (before === undefined || isAsked(path)) result[name] = value;
  }
  return result;
}
