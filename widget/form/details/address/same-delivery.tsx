import { Component } from 'preact';
import type { CheckoutModel } from '../../model.ts';
import { inputId } from '../../view/field.tsx';
import { isSame, SAME, withSame } from './delivery.ts';

/**
 * Whether the delivery address is the billing address. What was typed into its fields stays while they are hidden, but for
 * who it is for; what was ticked before the script came is adopted. What was paid with stays so.
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
    // What comes back of the try may tell of a difference that was none for the shopper.
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
    // While a payment is under way only what is drawn is put right.
    checkout.set(state.stage.name === 'paying' ? {} : { values: withSame(state, same) });
  }
}
