import type { CheckoutModel } from '../model.ts';
import { inputId } from '../view/field.tsx';

/**
 * Focuses the next element for a shopper who returns to the form: a wrong field, the card's number or code to type
 * again, or the message, which stays visible.
 */
export function focusNext(core: CheckoutModel): void {
  const { errors, method, token, values, message } = core.state;
  const types = method === 'card' && !values.security_code && message?.key !== 'abandoned';
  const field = token || values.card ? 'security_code' : 'card';
  core.focus(Object.keys(errors)[0] ?? (types ? field : 'message'));
  document.getElementById(inputId('message'))?.scrollIntoView?.({ block: 'nearest' });
}
