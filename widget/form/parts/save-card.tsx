import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import { inputId } from '../view/field.tsx';

/** Asks to keep the card that is typed. It is never ticked by itself; a tick from before the script came is adopted. */
export class SaveCard extends Component<{ checkout: CheckoutModel }> {
  #box: HTMLInputElement | null = null;

  override componentDidMount(): void {
    if (this.#box?.checked) this.#take(true);
    else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    return (
      <label class="check">
        <input
          ref={(box) => {
            this.#box = box;
          }}
          id={inputId('save_card')}
          type="checkbox"
          onChange={(event) => this.#take(event.currentTarget.checked)}
        />
        <span>{this.props.checkout.t('save_card')}</span>
      </label>
    );
  }

  #take(checked: boolean): void {
    this.props.checkout.type('save_card', checked ? '1' : '');
  }

  #write(): void {
    if (this.#box) this.#box.checked = Boolean(this.props.checkout.state.values.save_card);
  }
}
