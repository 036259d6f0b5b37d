import type { FieldContext } from '../context.ts';
import { latin } from '../digits.ts';

type Phones = FieldContext['phones'];

/** A telephone number as it is sent: in E.164, as far as one can tell what it is. */
export function writePhone(text: string, country: string | undefined, phones: Phones): string {
  return phones?.(text, country) ?? latin(text);
}

/** Whether a text may be a telephone number: any that is as long as one, where it is not known whose it is or how those look. */
export function isPhone(text: string, country: string | undefined, phones: Phones): boolean {
  if (phones?.(text, country)) return true;
  const digits = text.replace(/[\s()./-]/g, '');
  const isKnown = phones !== undefined && (country !== undefined || /^(?:\+|00)/.test(digits));
  return !isKnown && /^\+?\d{6,15}$/.test(digits);
}
