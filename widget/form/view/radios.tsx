import { Component, type ComponentChildren } from 'preact';
import { inputId } from './field.tsx';

type Option = { value: string; label: string; detail?: ComponentChildren };
type Props = { name: string; legend: string; value: string; options: readonly Option[]; onChoose(value: string): void };

/** Names one radio of a group, see `inputId`. */
export function radioId(group: string, value: string): string {
  return `${group}-${value.replaceAll(' ', '-')}`;
}

/** A group of labelled radios. What was chosen before the script came is adopted. */
export class Radios extends Component<Props> {
  #group: HTMLFieldSetElement | null = null;

  override componentDidMount(): void {
    const chosen = this.#inputs().find((input) => input.checked);
    if (chosen && chosen.value !== this.props.value) this.props.onChoose(chosen.value);
  }

  override componentDidUpdate(): void {
    for (const input of this.#inputs()) input.checked = input.value === this.props.value;
  }

  override render() {
    const { name, legend, value, options, onChoose } = this.props;
    return (
      <fieldset
        ref={(group) => {
          this.#group = group;
        }}
        class="radios"
      >
        <legend>{legend}</legend>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              id={inputId(radioId(name, option.value))}
              name={name}
              value={option.value}
              defaultChecked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.label}</span>
            {option.detail && <small>{option.detail}</small>}
          </label>
        ))}
      </fieldset>
    );
  }

  #inputs(): HTMLInputElement[] {
    return [...(this.#group?.querySelectorAll('input') ?? [])];
  }
}
