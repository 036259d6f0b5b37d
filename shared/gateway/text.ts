import { z } from 'zod';

/**
 * True for text that JSON, XML and a form can all carry: whole surrogate pairs, no control characters but tab and line
 * ends, and not the two code points (U+FFFE, U+FFFF) that XML forbids.
 */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u.test(value);
}

/** A string field of the spec. `max` bounds it in UTF-16 units; the spec gives no lengths (§2.10, last lines). */
export const text = (max = 1000) =>
  z.string().max(max).refine(isPlainText, 'contains a control character or half a surrogate pair');

export const optionalText = text().optional();

/** A non-empty `text`. */
export const requiredText = (max = 1000) => text(max).min(1, 'must not be empty');

/** The shop's or the gateway's name for one thing: a single line, so that it is the same after a way through XML. */
export const identifier = requiredText(255).refine((value) => !/[\t\n\r]/.test(value), 'must be a single line');

export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be a 3-letter currency code such as BRL');

export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'must be a 2-letter country code such as BR');
