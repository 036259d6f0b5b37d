import { Component, type ComponentChildren } from 'preact';
import { inputId } from './field.tsx';

/** One option: `detail` is below its name or beside it, `panel` below all of it once it is chosen. */
export type Option = {
  value: string;
  label: string;
  detail?: ComponentChildren;
  /** The id of its description. */
  describedBy?: string;
  panel?: ComponentChildren;
};
type Props = { name: string; legend: string; value: string; options: readonly Option[]; onChoose(value: string): void };

/** The id of one radio of a group, see `inputId`. */
export function radioId(group: string, value: string): string {
  return `${group}-${value.replaceAll(' ', '-')}`;
}

/** A group of labelled radios. A choice from before the script started is adopted. */
export class Radios extends Component<Props> {
  #group: HTMLElement | null = null;

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
        <div class="options">
          {options.map((option) => (
            <div key={option.value} class="option">
              <Radio name={name} option={option} chosen={option.value === value} onChoose={onChoose} />
            </div>
          ))}
        </div>
      </fieldset>
    );
  }

  /** The radios of this group. Its panels may contain those of other groups. */
  #inputs(): HTMLInputElement[] {
    return radiosIn(this.#group, this.props.name);
  }
}

/** The radios with a name in a part of the page. */
export function radiosIn(place: HTMLElement | null, name: string): HTMLInputElement[] {
  return [...(place?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? [])];
}

type RadioProps = { name: string; option: Option; chosen: boolean; onChoose(value: string): void };

/** One labelled radio, and its panel once it is chosen. */
export function Radio({ name, option: { value, label, detail, describedBy, panel }, chosen, onChoose }: RadioProps) {
  return (
    <>
      <label>
        <input
          type="radio"
          id={inputId(radioId(name, value))}
          name={name}
          value={value}
          defaultChecked={chosen}
          aria-describedby={describedBy}
          onChange={({ currentTarget: radio }) => {
            const { top } = radio.getBoundingClientRect();
            onChoose(value);
            // The panel above may have disappeared: on the hosted page the chosen option stays in its place on the
            // screen.
            requestAnimationFrame(() => scrollBy(0, radio.getBoundingClientRect().top - top));
          }}
        />
        <span>{label}</span>
        {detail}
      </label>
      {chosen && panel && <div class="panel">{panel}</div>}
    </>
  );
}
