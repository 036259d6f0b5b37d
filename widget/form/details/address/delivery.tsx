import { Component } from 'preact';
import { splitName } from '../../../../shared/checkout/fields/names.ts';
import type { CheckoutModel } from '../../model.ts';
import type { State } from '../../state.ts';
import { inputId } from '../../view/field.tsx';
import { orderValue, wasTried } from '../requested.ts';

/**
 * The value that states whether the delivery address is the billing address, if the shopper has chosen: `yes` or `no`.
 */
export const SAME = 'delivery_same';

/** The billing field that a delivery field repeats; undefined for fields that only a delivery has. */
function repeated(path: string, requested: ReadonlySet<string>): string | undefined {
  const billing = path.startsWith('delivery_') ? path.replace('delivery_', 'billing_') : '';
  return requested.has(billing) ? billing : undefined;
}

/** Whether a shopper may choose that both addresses are the same. */
export function offersSame(requested: ReadonlySet<string>): boolean {
  return requested.has('delivery_address') && requested.has('billing_address');
}

/** Who receives a delivery. */
export const NAMES = ['delivery_firstname', 'delivery_lastname'];

/** Whether both addresses are the same. Until the shopper chooses, they are unless a difference is known. */
export function isSame({ values, view }: State): boolean {
  if (values[SAME]) return values[SAME] === 'yes';
  const { prefill = {} } = view;
  return (
    ['country', 'state', 'city', 'address', 'postal_code'].every((part) => {
      const known = prefill[`delivery_${part}`];
      return !known || known === prefill[`billing_${part}`];
    }) && !hadOther(view)
  );
}

/** Whether an earlier attempt had another recipient than the payer. The recipient must be visible then. */
function hadOther(view: State['view']): boolean {
  const { first_name = '', last_name = '', delivery_firstname = '', delivery_lastname = '' } = view.prefill ?? {};
  const recipient = `${delivery_firstname} ${delivery_lastname}`.trim();
  return wasTried(view) && recipient !== '' && recipient !== `${first_name} ${last_name}`.trim();
}

/** The values with both addresses set to the same or not. The recipient of the other address is removed with it. */
function withSame(state: State, same: boolean): State['values'] {
  const names = NAMES.map((path) => [path, orderValue(state, path) ?? '']);
  return { ...state.values, ...(same && Object.fromEntries(names)), [SAME]: same ? 'yes' : 'no' };
}

/**
 * The delivery address if both addresses are the same. Known names need not be typed again; of hidden names only those
 * that came with the session count.
 */
export function sameDelivery(state: State, values: State['values'], requested: ReadonlySet<string>) {
  const { first_name, last_name } = splitName(values.name ?? '');
  const own = (path: string) =>
    isRepetition(path, state, requested) && values[path] !== state.view.prefill?.[path] ? '' : values[path];
  const delivery: Record<string, string> = {
    delivery_firstname: own('delivery_firstname') || values.first_name || first_name,
    delivery_lastname: own('delivery_lastname') || values.last_name || last_name,
  };
  for (const path of requested) {
    const billing = repeated(path, requested);
    if (billing) delivery[path] = values[billing] ?? '';
  }
  return delivery;
}

/** The delivery fields that are hidden if both addresses are the same. */
export function isRepetition(path: string, state: State, requested: ReadonlySet<string>): boolean {
  if (!offersSame(requested) || !isSame(state)) return false;
  if (NAMES.includes(path)) return knowsName(state, requested);
  return repeated(path, requested) !== undefined;
}

/** Whether the shopper's name is known, or requested in another field. */
function knowsName({ method, token, values }: State, requested: ReadonlySet<string>): boolean {
  const typed = method === 'card' && !token;
  return typed || Boolean(values.name) || (requested.has('first_name') && requested.has('last_name'));
}

/**
 * Whether the delivery address is the billing address. Hidden fields keep their input, except the recipient. A box that
 * was ticked before the script started is adopted, and the choice of an attempt stays.
 */
export class SameDelivery extends Component<{ checkout: CheckoutModel }> {
  #input: HTMLInputElement | null = null;

  override componentDidMount(): void {
    if (this.#input && this.#input.checked !== isSame(this.props.checkout.state)) this.#choose(this.#input.checked);
  }

  override componentDidUpdate(): void {
    const { checkout } = this.props;
    const { state } = checkout;
    const same = isSame(state);
    if (this.#input) this.#input.checked = same;
    // The session that is loaded after the attempt may have a difference that the shopper did not make.
    if (state.stage.name === 'paying' && !state.values[SAME])
      checkout.set({ values: { ...state.values, [SAME]: same ? 'yes' : 'no' } });
  }

  override render() {
    const { checkout } = this.props;
    return (
      <label class="check">
        <input
          ref={(input) => {
            this.#input = input;
          }}
          id={inputId(SAME)}
          type="checkbox"
          defaultChecked={isSame(checkout.state)}
          onChange={(event) => this.#choose(event.currentTarget.checked)}
        />
        <span>{checkout.t('delivery_same')}</span>
      </label>
    );
  }

  #choose(same: boolean): void {
    const { checkout } = this.props;
    const { state } = checkout;
    // During a payment only the drawing is corrected.
    checkout.set(state.stage.name === 'paying' ? {} : { values: withSame(state, same) });
  }
}
