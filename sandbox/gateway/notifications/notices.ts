import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { indentRespon, writeRespon } from '../base/wire.ts';
import type { FaultName } from '../faults/faults.ts';

/** A notification to the notify_url of a payment or payout (§6). `fields` are sent with a signature. */
export type Notice = {
  url: string;
  account: { merchant_id: string; account_id: string };
  kind: 'payment' | 'payout' | 'refund' | 'recurring';
  /** The order's number; a payout's request_id. */
  order_no: string;
  fields: Message;
  /** Its faults, in addition to those that its own texts request. */
  faults?: readonly FaultName[];
};

/**
 * Accepts a notification to send. It is called during an operation, before the answer, and must neither wait nor throw:
 * the sender sends later.
 */
export type Notify = (notice: Notice) => void;

/** The forms of notifications. The spec does not show one (§6), so this gateway can send several. */
export const notificationShapes = ['json', 'form', 'xml', 'get'] as const;
export type NotificationShape = (typeof notificationShapes)[number];

/** `text` is the body, or the query of the address. */
export type NotificationBody = { method: 'POST'; type: string; text: string } | { method: 'GET'; text: string };

/** The fields of a notification, signed like a message of this shape: as JSON, or with every value as text. */
export function signedFor(shape: NotificationShape, fields: Message, secret: string): Message {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const message = Object.fromEntries(shape === 'json' ? given : given.map(([name, value]) => [name, asText(value)]));
  return { ...message, encryption_data: sign(message, secret) };
}

/** Writes a signed notification in its sent form. */
export function writeNotification(shape: NotificationShape, message: Message): NotificationBody {
  switch (shape) {
    case 'json':
      return { method: 'POST', type: 'application/json', text: JSON.stringify(message) };
    case 'form':
      return { method: 'POST', type: 'application/x-www-form-urlencoded', text: queryOf(message) };
    case 'xml':
      return { method: 'POST', type: 'application/xml', text: writeRespon(message) };
    case 'get':
      return { method: 'GET', text: queryOf(message) };
  }
}

/** The same for people. */
export function showNotification(shape: NotificationShape, message: Message): string {
  switch (shape) {
    case 'json':
      return JSON.stringify(message, undefined, 2);
    case 'form':
    case 'get':
      return pairs(message)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n');
    case 'xml':
      return indentRespon(writeRespon(message));
  }
}

function queryOf(message: Message): string {
  return new URLSearchParams(pairs(message)).toString();
}

function pairs(message: Message): [string, string][] {
  return Object.entries(message).map(([name, value]) => [name, asText(value)]);
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : (JSON.stringify(value) ?? '');
}
