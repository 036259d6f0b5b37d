import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { splitName } from '../../../shared/checkout/fields/names.ts';
import type { Device, PayByApm, PayByCard, PayByToken } from '../../../shared/checkout/pay.ts';
import { parseExpiry } from '../card/expiry.ts';
import type { Tree } from '../model.ts';
import { chosenMethod, type State } from '../state.ts';

type CardBody = Pick<
  PayByCard,
  'card' | 'expiration_month' | 'expiration_year' | 'security_code' | 'first_name' | 'last_name'
>;
type TokenBody = Pick<PayByToken, 'token_id' | 'security_code'>;
type ApmBody = Pick<PayByApm, 'payment_method'>;

/** What is sent to pay. The relay, which knows the schemas, checks what the parts added. */
type PayBody = (CardBody | TokenBody | ApmBody) & { revision: number; device: Device };

/** Writes the request that pays what the form shows; `added` is what the parts have to add to it. */
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

/** The form's field that a path of the request belongs to, among those that are shown. */
export function fieldOfPath(path: string, shown: readonly string[]): string {
  if (shown.includes(path)) return path;
  if (path.startsWith('expiration_')) return 'expiry';
  return path === 'first_name' || path === 'last_name' ? 'name' : path;
}
