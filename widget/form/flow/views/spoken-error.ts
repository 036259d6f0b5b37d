import { translateCount } from '../../../locales/count.ts';
import type { MessageKey } from '../../../locales/messages.ts';
import { named } from '../../../locales/together.ts';
import type { CheckoutModel } from '../../model.ts';

/** The card's fields by the keys of their labels. */
const CARD: Readonly<Record<string, MessageKey>> = {
  card: 'number',
  expiry: 'expiry',
  security_code: 'code',
  name: 'name',
};

/**
 * The text that screen readers announce about wrong fields: the field that the shopper has just left, with its label,
 * or the number of fields if several were marked at once. A single marked field has the focus and is announced with it.
 */
export function spokenError(checkout: CheckoutModel): string {
  const { boot, state, t } = checkout;
  const { errors, wrong = '' } = state;
  const count = Object.keys(errors).length;
  if (!wrong) return count > 1 ? translateCount(t, boot, 'fields_wrong', count) : '';
  const error = errors[wrong];
  const label = labelOf(checkout, wrong);
  return error ? named(boot.lang, label, checkout.formatMessage(error, label)) : '';
}

function labelOf({ extra, t }: CheckoutModel, name: string): string {
  const own = extra.find((field) => field.name === name)?.label;
  if (own) return typeof own === 'string' ? t(own) : own.text;
  const key = CARD[name];
  return key ? t(key) : name;
}
