import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { splitName } from '../../../shared/checkout/fields/names.ts';
import type { Device, PayByApm, PayByCard, PayByToken } from '../../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { parseExpiry } from '../card/expiry.ts';
import type { Core, Tree } from '../model.ts';
import { fieldNames, problemOf } from '../rules.ts';
import { chosenMethod, type Message, type State } from '../state.ts';
import type { Answer } from './api.ts';

type CardField = 'card' | 'expiration_month' | 'expiration_year' | 'security_code' | 'first_name' | 'last_name';

/** The body of a payment request. The relay, which has the schemas, checks the fields that the parts add. */
type PayBody = (
  | Pick<PayByCard, CardField>
  | Pick<PayByToken, 'token_id' | 'security_code'>
  | Pick<PayByApm, 'payment_method'>
) & { revision: number; device: Device };

/** Writes the request for the payment in the form; `added` are the fields that the parts add. */
export function paymentOf(state: State, added: Tree, device: Device): PayBody {
  const method = chosenMethod(state);
  const common = { ...added, revision: state.view.revision, device };
  if (method?.type === 'apm') return { ...common, payment_method: method.payment_method };
  const security_code = state.values.security_code ?? '';
  if (state.token) return { ...common, token_id: state.token, security_code };
  const expiry = parseExpiry(state.values.expiry ?? '');
  return {
    ...common,
    card: digitsOf(state.values.card ?? ''),
    expiration_month: String(expiry?.month ?? '').padStart(2, '0'),
    expiration_year: String(expiry?.year ?? ''),
    security_code,
    ...splitName(state.values.name ?? ''),
  };
}

/** The visible field for a path of the request. */
export function fieldOfPath(path: string, shown: readonly string[]): string {
  if (shown.includes(path)) return path;
  if (path.startsWith('expiration_')) return 'expiry';
  return path === 'first_name' || path === 'last_name' ? 'name' : path;
}

type Problem = Extract<Answer<unknown>, { kind: 'problem' }>;

/** Why a payment was not abandoned: it cannot be abandoned, or the gateway could not be queried. */
export function notAbandoned(code: string): 'cannot_abandon' | 'order_in_progress' | undefined {
  if (code === 'cannot_abandon') return code;
  return code === 'gateway_unreachable' ? 'order_in_progress' : undefined;
}

/**
 * The message for the shopper, and the code for the host page, when the form is shown again and the session has no
 * notice.
 */
export type Fallback = { code: string; message: Message };

/** A request or its answer was lost, and the session shows no payment. */
export const LOST: Fallback = { code: 'request_lost', message: { key: 'not_received' } };

/**
 * The text for the host page about an attempt without a result, as shown in the form, with the session's present
 * amount.
 */
export function textOf(core: Core, { message }: Fallback, now: CheckoutView, shown: Message | undefined): string {
  const inFlight: Message = { key: 'order_in_progress' };
  const { key, values } = shown ?? (now.status === 'open' ? message : inFlight);
  const amount = core.flow?.formatMoney(core.boot.locale, now.currency, now.amount) ?? now.amount;
  return core.formatMessage({ key, values: { amount, ...values } });
}

/** The form's reaction to a payment that the relay refused. */
type Reaction =
  /** The secret is not valid for any request. */
  | { do: 'break' }
  /** Shows the form with this message. */
  | { do: 'show'; message: Message }
  /** Shows the form with errors at these fields of the request. */
  | { do: 'mark'; paths: string[] }
  /** The session has changed: load it, and show this message if it has none. */
  | { do: 'reload'; message: Message }
  /** The payment may have been sent: poll until the session shows its outcome. */
  | { do: 'poll' };

/** Decides by the problem's code and status, never by its text. */
export function reactionTo({ code, status, errors }: Problem): Reaction {
  if (code === 'gateway_unreachable') return { do: 'show', message: { key: 'not_sent' } };
  if (code === 'session_changed') return { do: 'reload', message: { key: 'order_changed' } };
  if (code === 'order_already_paid' || code === 'order_in_progress') return { do: 'reload', message: { key: code } };
  if (status === 409) return { do: 'reload', message: LOST.message };
  if (status === 401 || status === 404) return { do: 'break' };
  if (status === 429) return { do: 'show', message: { key: 'too_many' } };
  if (status >= 500) return { do: 'poll' };
  return { do: 'mark', paths: errors.map(({ path }) => path) };
}

/** Whether the relay refused the payment before anything was sent to the gateway, and the shopper may send it again. */
export function sentNothing({ code, status }: Problem): boolean {
  return code === 'session_changed' || code === 'gateway_unreachable' || status === 400 || status === 429;
}

/** The visible fields for these paths of the request, each with the fault that the form's own rules find, if any. */
export function wrongFields(core: Core, paths: readonly string[]): [name: string, Message][] {
  const placed = paths.map((path) => core.parts?.place(core, path) ?? path);
  const { state, extra } = core;
  const shown = fieldNames(state, extra);
  const named = new Set(placed.map((path) => fieldOfPath(path, shown)));
  return shown
    .filter((name) => named.has(name))
    .map((name) => [name, problemOf(name, state, { extra, now: core.platform.now() }) ?? { key: 'field_invalid' }]);
}
