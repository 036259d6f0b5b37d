import { sameAmount, withDecimals } from '../../shared/gateway/amounts.ts';

/** A term by which orders are found: its kind and its value. Undefined for a value that no index can contain. */
function term(kind: string, value: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out.
  return value === '' || value.length > 255 || /[\u0000-\u001f]/.test(value) ? [] : [`${kind} ${value.toWellFormed()}`];
}

export const everything = ['all'];
export const attention = ['attention'];
export const attentionLater = ['attention later'];
export const paid = ['paid'];
export const capturable = ['capturable'];
export const reversed = ['reversed'];
export const subscription = ['subscription'];
export const status = (value: string): string[] => term('status', value);
export const method = (value: string): string[] => term('method', value);
export const last4 = (value: string): string[] => term('last4', value);
export const currency = (value: string): string[] => term('currency', value);
/** The prefix of the terms of currencies. */
export const CURRENCY_TERMS = 'currency ';
/** `129.9` is found as `129.90`. The gateway's amounts may not be decimals. */
export const amount = (value: string, of: string): string[] =>
  sameAmount(value, value) ? term('amount', `${of} ${withDecimals(value, 2)}`) : [];
export const email = (hash: string): string[] => term('email', hash);
export const sessionStatus = (value: string): string[] => term('session', value);
export const decline = (code: string): string[] => term('decline', code);
export const orderNo = (value: string): string[] => term('order', value);
/** Terms that find an order's number in any letter case: from its beginning, and from its end. */
export const lowerOrderNo = (value: string): string[] => term('number', value.toLowerCase());
export const orderNoFromEnd = (value: string): string[] => term('ending', [...value.toLowerCase()].reverse().join(''));
export const transaction = (value: string): string[] => term('transaction', value);
/** As `contractTerm` names it. */
export const contract = (value: string): string[] => term('contract', value);
