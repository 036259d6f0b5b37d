import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import { inputId } from '../view/field.tsx';
import { isSame, SAME } from './delivery.ts';

/**
 * Whether the delivery address is the billing address. What was typed into its fields stays while they are hidden; what was
 * ticked before the script came is adopted.
 */
export class SameDelivery extends Component<{ checkout: CheckoutModel }> {
  #input: HTMLInputElement | null = null;

  override componentDidMount(): void {
    if (this.#input && this.#input.checked !== isSame(this.props.checkout.state)) this.#choose(this.#input.checked);
  }

  override componentDidUpdate(): void {
    if (this.#input) this.#input.checked = isSame(this.props.checkout.state);
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
        <span>{checkout.say('delivery_same')}</span>
      </label>
    );
  }

  #choose(same: boolean): void {
    this.props.checkout.type(SAME, same ? 'yes' : 'no');
  }
}
