import { Component, type ComponentChildren, type InputHTMLAttributes } from 'preact';
import { type Format, retype } from '../card/retype.ts';
import type { CheckoutModel } from '../model.ts';

export function inputId(name: string): string {
  return `field-${name}`;
}

export function errorId(name: string): string {
  return `error-${name}`;
}

type FieldProps = { checkout: CheckoutModel; name: string; label: string; children: ComponentChildren };

/** A label, its input, and a line that is reserved for its error. `StatusRegion` announces the error. */
export function Field({ checkout, name, label, children }: FieldProps) {
  const error = checkout.state.errors[name];
  return (
    <div class="field">
      <label for={inputId(name)}>{label}</label>
      <div class="box">{children}</div>
      <p class="error" id={errorId(name)}>
        {error && checkout.formatMessage(error, label)}
      </p>
    </div>
  );
}

type InputProps = {
  checkout: CheckoutModel;
  name: string;
  autocomplete: string;
  inputMode?: 'numeric' | 'text' | 'decimal' | 'url' | undefined;
  placeholder?: string;
  describedBy?: string;
  required?: boolean;
  format?: Format | undefined;
  /** How the caret keeps its place in formatted text, if other characters than digits count. */
  follow?: typeof retype;
  /** Attributes beyond the card’s, which are of type `text`. */
  more?: InputHTMLAttributes;
};

/**
 * A text input that owns its text: a text from before the script started is adopted, never overwritten, and checked if
 * the shopper has already left the field. It has no `name`.
 */
export class Input extends Component<InputProps> {
  #input: HTMLInputElement | null = null;

  override componentDidMount(): void {
    if (!this.#input?.value) this.#write();
    else if (this.#input === document.activeElement) this.#take('');
    else this.#leave();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    const { checkout, name, autocomplete, inputMode, placeholder, required = true } = this.props;
    const { describedBy = '', more } = this.props;
    const attributes = {
      ref: (input: HTMLInputElement | null) => {
        this.#input = input;
      },
      id: inputId(name),
      inputmode: inputMode,
      autocomplete,
      autocapitalize: name === 'name' ? 'words' : 'off',
      autocorrect: 'off',
      spellcheck: false,
      placeholder,
      readonly: checkout.state.stage.name === 'paying',
      'aria-required': required,
      'aria-invalid': checkout.state.errors[name] !== undefined,
      'aria-describedby': `${describedBy} ${errorId(name)}`.trim(),
      onInput: (event: InputEvent) => this.#take(event.inputType ?? '', event.isComposing),
      onCompositionEnd: () => this.#take('insertText'),
      // Some password managers cause no other event.
      onChange: () => this.#take(''),
      onBlur: () => this.#leave(),
    } as const;
    return <input type="text" {...attributes} {...more} />;
  }

  /** Takes over the text of the input. While an input method is composing, the text is left alone. */
  #take(how: string, composing = false): void {
    const { checkout, name, format, follow = retype } = this.props;
    const input = this.#input;
    if (!input) return;
    if (format && !composing) {
      const before = checkout.state.values[name] ?? '';
      const { text, caret } = follow(
        { text: input.value, caret: input.selectionStart ?? input.value.length, before, how },
        format,
      );
      if (text !== input.value) {
        input.value = text;
        if (document.activeElement === input) input.setSelectionRange(caret, caret);
      }
    }
    checkout.type(name, input.value);
    // A pasted text is complete.
    if (format && how === 'insertFromPaste') checkout.leave(name);
  }

  #leave(): void {
    const { checkout, name } = this.props;
    this.#take('');
    checkout.leave(name);
  }

  #write(): void {
    const value = this.props.checkout.state.values[this.props.name] ?? '';
    if (this.#input && this.#input.value !== value) this.#input.value = value;
  }
}
