import { Component } from 'preact';
import type { CheckoutModel } from '../model.ts';
import { errorId, inputId } from '../view/field.tsx';

type Props = {
  checkout: CheckoutModel;
  name: string;
  autocomplete: string;
  options: readonly { code: string; name: string }[];
  /** Shown while nothing is chosen; without it the first option is. */
  prompt?: string;
};

/** A select that adopts what was chosen before the script came. */
export class Choice extends Component<Props> {
  #select: HTMLSelectElement | null = null;

  override componentDidMount(): void {
    const { checkout, name } = this.props;
    if (this.#select?.value && !checkout.state.values[name]) checkout.type(name, this.#select.value);
    else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    const { checkout, name, autocomplete, options, prompt } = this.props;
    return (
      <select
        ref={(select) => {
          this.#select = select;
        }}
        id={inputId(name)}
        autocomplete={autocomplete}
        aria-required={prompt !== undefined}
        aria-invalid={checkout.state.errors[name] !== undefined}
        aria-describedby={errorId(name)}
        onChange={(event) => checkout.type(name, event.currentTarget.value)}
        onBlur={() => checkout.leave(name)}
      >
        {prompt && <option value="">{prompt}</option>}
        {options.map(({ code, name: label }) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </select>
    );
  }

  #write(): void {
    const value = this.props.checkout.state.values[this.props.name];
    if (this.#select && value !== undefined && this.#select.value !== value) this.#select.value = value;
  }
}
