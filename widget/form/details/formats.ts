import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { digitsOf, latin } from '../../../shared/checkout/fields/digits.ts';
import { documentRuleOf } from '../../../shared/checkout/fields/document/document.ts';
import { fieldValue } from '../../../shared/checkout/fields/problem.ts';
import type { Format } from '../card/retype.ts';
import { addressPart, ruleOf } from './address/address.ts';

const DOCUMENT = /(^|[._])document(_number)?$/;
const DIGITS = /^person\.phone_/;

/** Whether a field holds the number of an identity document. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

/** How a field is shown while it is typed; undefined where it stays as it is typed. */
export function formatOf(path: string, context: FieldContext): Format | undefined {
  if (isDocument(path)) return documentRuleOf(path, context)?.format;
  if (DIGITS.test(path)) return digitsOf;
  if (addressPart(path)?.part === 'postal_code') return postalFormat(path, context);
  return path.endsWith('bank_account.currency') ? (text) => text.toUpperCase() : undefined;
}

/** A postal code of digits gets its hyphen while it is typed; every other its written form once the shopper is done. */
function postalFormat(path: string, context: FieldContext): Format {
  const { numeric, example = '' } = ruleOf(path, context).postalCode ?? {};
  const grouped = numeric === true && /\D/.test(example);
  return (text, how = '') => {
    if (!how) return fieldValue(path, text, context);
    return grouped && !how.startsWith('delete') ? spread(digitsOf(text), example) : latin(text);
  };
}

/** Puts digits where the example has digits, with what stands between those. */
function spread(digits: string, example: string): string {
  let at = 0;
  let text = '';
  for (const sign of example) {
    if (at >= digits.length) break;
    text += /\d/.test(sign) ? digits[at++] : sign;
  }
  return text;
}
