import {
  type CreatePayment,
  meansOfPayment,
  paymentByApm,
  paymentByCard,
  paymentByToken,
} from '../../../shared/api/payment.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { parseShopBody } from '../../http/parse.ts';
import { checkOwnCardAlone } from '../fields/filled.ts';

/** Reads a payment. Throws ProblemError, for card data beside the card too. */
export function readPayment(body: unknown): CreatePayment {
  const payment = parsedPayment(body);
  checkOwnCardAlone(payment);
  return payment;
}

/** Reads a payment against the schema that it means to follow, so that its mistakes are told against the right one. */
function parsedPayment(body: unknown): CreatePayment {
  const given = withoutEmptyMeans(body);
  const has = (name: string): boolean => isObject(given) && Object.hasOwn(given, name);
  if (has('payment_method')) return parseShopBody(paymentByApm, given);
  return has('token_id') && !has('card') ? parseShopBody(paymentByToken, given) : parseShopBody(paymentByCard, given);
}

/** A body without those that are `""` or `null`: they are absent, so they choose no schema. */
function withoutEmptyMeans(body: unknown): unknown {
  if (!isObject(body) || Array.isArray(body)) return body;
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    meansOfPayment.some((means) => means === name) && (value === '' || value === null);
  return Object.fromEntries(Object.entries(body).filter((entry) => !isEmpty(entry)));
}
