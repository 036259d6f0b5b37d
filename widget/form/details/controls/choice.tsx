import { Component, type ComponentChildren } from 'preact';
import type { CheckoutModel } from '../../model.ts';
import { errorId, inputId } from '../../view/field.tsx';

type Option = { code: string; name: string };

type Props = {
  checkout: CheckoutModel;
  name: string;
  autocomplete: string;
  options: readonly Option[];
  /** Shown above the others, with a separator. */
  likely?: readonly Option[];
  /** Shown while nothing is chosen; without it the first option is chosen. */
  prompt?: string | undefined;
  /** The chosen value, if it differs from the input. */
  value?: string | undefined;
  required?: boolean;
  onChoose?: (value: string) => void;
};

/** A select that adopts a choice from before the script started. */
export class Choice extends Component<Props> {
  #select: HTMLSelectElement | null = null;

  override componentDidMount(): void {
    const { checkout, name, value } = this.props;
    const chosen = this.#select?.value;
    if (chosen && chosen !== value && !checkout.state.values[name]) this.#choose(chosen);
    else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    const { checkout, name, autocomplete, options, likely = [], prompt, required = prompt !== undefined } = this.props;
    return (
      <select
        ref={(select) => {
          this.#select = select;
        }}
        id={inputId(name)}
        autocomplete={autocomplete}
        aria-required={required}
        aria-invalid={checkout.state.errors[name] !== undefined}
        aria-describedby={errorId(name)}
        onChange={(event) => this.#choose(event.currentTarget.value)}
        onBlur={() => checkout.leave(name)}
      >
        {prompt !== undefined && <option value="">{prompt}</option>}
        {likely.length > 0 && [...likely.map((option) => this.#option(option)), <hr key="-" />]}
        {options.map((option) => this.#option(option))}
      </select>
    );
  }

  #option({ code, name }: Option): ComponentChildren {
    return (
      <option key={code} value={code} selected={code === this.#chosen}>
        {name}
      </option>
    );
  }

  get #chosen(): string | undefined {
    const { checkout, name, value } = this.props;
    return value ?? checkout.state.values[name];
  }

  #choose(value: string): void {
    const { checkout, name, onChoose } = this.props;
    checkout.type(name, value);
    onChoose?.(value);
  }

  #write(): void {
    const value = this.#chosen;
    if (!this.#select || value === undefined || this.#select.value === value) return;
    this.#select.value = value;
    // A value that is none of the options, such as another method's bank, is not chosen.
    if (this.#select.selectedIndex < 0 && this.props.prompt !== undefined) this.#select.value = '';
  }
}
