import { Component } from 'preact';
import { errorId, inputId } from '../../view/field.tsx';
import type { ControlProps, Feature } from '../context.ts';
import {
  commonYear,
  type DatePart,
  type DateParts,
  dateOrder,
  digitsOfPart,
  joined,
  parseDate,
  partsOf,
  SIZES,
} from './date-parts.ts';

export const feature = (): Feature => ({ controls: { BirthDate } });

/** A birth date in three short fields, in the order in which the shopper's locale writes dates. */
class BirthDate extends Component<ControlProps> {
  readonly #inputs = new Map<DatePart, HTMLInputElement>();

  override componentDidMount(): void {
    const inputs = [...this.#inputs.values()];
    if (inputs.some((input) => input.value)) {
      this.#take();
      if (!inputs.some((input) => input === document.activeElement)) this.#leave();
    } else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    const { form, field, label } = this.props;
    const { checkout } = form;
    const error = checkout.state.errors[field.name];
    const nameId = `name-${field.name}`;
    return (
      // biome-ignore lint/a11y/useSemanticElements: what is in a fieldset cannot stand on its neighbour's lines
      <div
        role="group"
        class="field date"
        aria-labelledby={nameId}
        aria-describedby={errorId(field.name)}
        onFocusOut={(event) => {
          const next = event.relatedTarget;
          if (!(next instanceof Node && event.currentTarget.contains(next))) this.#leave();
        }}
      >
        <div class="name" id={nameId}>
          {label}
        </div>
        <div class="parts">{this.#order.map((part, index) => this.#part(part, index))}</div>
        <p class="error" id={errorId(field.name)} aria-live="polite">
          {error && checkout.formatMessage(error)}
        </p>
      </div>
    );
  }

  #part(part: DatePart, index: number) {
    const { form, field } = this.props;
    const { checkout } = form;
    const { state, t } = checkout;
    const id = index ? `${inputId(field.name)}-${part}` : inputId(field.name);
    return (
      <div class={part} key={part}>
        <label for={id}>{t(part)}</label>
        <div class="box">
          <input
            ref={(input) => {
              if (input) this.#inputs.set(part, input);
            }}
            id={id}
            type="text"
            inputmode="numeric"
            autocomplete={`bday-${part}`}
            size={SIZES[part]}
            dir="ltr"
            readonly={state.stage.name === 'paying'}
            aria-required={!field.optional}
            aria-invalid={state.errors[field.name] !== undefined}
            aria-describedby={errorId(field.name)}
            onPaste={(event) => this.#paste(event)}
            onInput={(event) => this.#typed(part, event)}
            onChange={() => this.#take()}
            onKeyDown={(event) => {
              if (event.key === 'Backspace' && !event.currentTarget.value) this.#neighbour(part, -1)?.focus();
            }}
          />
        </div>
      </div>
    );
  }

  get #order(): readonly DatePart[] {
    return dateOrder(this.props.form.checkout.boot.locale);
  }

  #neighbour(part: DatePart, step: 1 | -1): HTMLInputElement | undefined {
    const order = this.#order;
    const next = order[order.indexOf(part) + step];
    return next && this.#inputs.get(next);
  }

  #typed(part: DatePart, event: InputEvent): void {
    const input = this.#inputs.get(part);
    if (!input || event.isComposing) return;
    const date = parseDate(input.value, this.#order);
    if (date) this.#fill(date);
    const before = input.value;
    const digits = digitsOfPart(before, part);
    if (digits !== before) input.value = digits;
    this.#take();
    const isFull = digits.length === SIZES[part] && input.selectionStart === digits.length;
    if (date || !isFull || part === 'year' || event.inputType !== 'insertText') return;
    const next = this.#neighbour(part, 1);
    next?.focus();
    next?.select();
  }

  /** A whole date goes in all three, whatever stands in them. */
  #paste(event: ClipboardEvent): void {
    const date = parseDate(event.clipboardData?.getData('text') ?? '', this.#order);
    if (!date || this.props.form.checkout.state.stage.name === 'paying') return;
    event.preventDefault();
    this.#fill(date);
    this.#take();
  }

  #fill(date: DateParts): void {
    for (const [part, input] of this.#inputs) input.value = digitsOfPart(date[part], part);
  }

  /** Takes over what stands in the three. */
  #take(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    checkout.type(field.name, joined({ day: this.#text('day'), month: this.#text('month'), year: this.#text('year') }));
  }

  /** What one of them says. */
  #text(part: DatePart): string {
    const digits = digitsOfPart(this.#inputs.get(part)?.value ?? '', part);
    return part === 'year' ? commonYear(digits, this.props.form.checkout.platform.now().getFullYear()) : digits;
  }

  #leave(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const held = partsOf(checkout.state.values[field.name] ?? '');
    for (const [part, input] of this.#inputs) input.value = held[part];
    checkout.leave(field.name);
  }

  #write(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const held = partsOf(checkout.state.values[field.name] ?? '');
    for (const [part, input] of this.#inputs) {
      // `1` that is being typed is held as `01`, and 2530 as 1987: each stays as it is until the shopper has gone on.
      const text = this.#text(part);
      if (Number(text) !== Number(held[part]) || !held[part] !== !text) input.value = held[part];
    }
  }
}
