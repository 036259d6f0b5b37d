import { isObject } from '../../../shared/checkout/is-object.ts';
import { type OperationName, operationNames } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { InvalidInput } from '../base/refusals.ts';
import { canStrike, type Fault, type FaultName, isFaultName, strikes } from './faults.ts';

/** Where a message may ask for a fault, in itself or in the items of its batch. */
const FIELDS = ['order_no', 'orders', 'refund_orders', 'reference', 'client_data', 'contract_name'];

const SPELLED = /fault:(?:([a-z_]+)\.)?([a-z_]+)/g;

/**
 * The faults that texts ask for: `fault:never` in an order_no strikes whatever is done to that order, `fault:refund.never`
 * its refunds alone. What only looks (query, refund_search) is struck when it is named, because a lost answer could never
 * be settled otherwise.
 */
export function spelledFaults(
  texts: readonly string[],
  what: Fault['strikes'],
  struck: readonly OperationName[],
): FaultName[] {
  return spelledIn(texts).flatMap(({ name, only }) => {
    const meant =
      only === undefined ? struck.some((operation) => !looks(operation)) : struck.some((one) => one === only);
    return meant && isFaultName(name) && strikes(name, what, struck) ? [name] : [];
  });
}

/** Throws InvalidInput when texts ask for a fault, or for a fault of an operation, that does not exist. */
export function checkFaultNames(texts: readonly string[]): void {
  for (const { name, only } of spelledIn(texts)) {
    if (!isFaultName(name)) throw new InvalidInput(`no fault is called ${name}`);
    if (only === undefined) continue;
    const operation = operationNames.find((one) => one === only);
    if (!operation) throw new InvalidInput(`no operation is called ${only}`);
    if (!canStrike(name, operation)) throw new InvalidInput(`the fault ${name} never strikes ${operation}`);
  }
}

/** The texts of a message, or of the items of its batch, in which it may ask for faults. */
export function triggersIn(message: Message): string[] {
  return Object.entries(message).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((item: unknown) => (isObject(item) ? triggersIn(item) : []));
    return FIELDS.includes(name) && typeof value === 'string' ? [value] : [];
  });
}

function spelledIn(texts: readonly string[]): { name: string; only: string | undefined }[] {
  return texts.flatMap((text) => [...text.matchAll(SPELLED)].map(([, only, name = '']) => ({ name, only })));
}

function looks(operation: OperationName): boolean {
  return operation === 'query' || operation === 'refund_search';
}
