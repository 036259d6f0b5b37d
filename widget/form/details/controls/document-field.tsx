import { Component } from 'preact';
import { fieldValue } from '../../../../shared/checkout/fields/rules.ts';
import type { retype } from '../../card/retype.ts';
import { Input, inputId } from '../../view/field.tsx';
import { type ControlProps, contextOf } from '../context.ts';

const SIGNIFICANT = /[\p{L}\p{N}]/gu;

/**
 * `retype` for numbers with letters, such as a Brazilian company's: the caret stays after the same letter or digit, and
 * deleting a separator also deletes the character before or after it.
 */
const retypeText: typeof retype = ({ text, caret, before, how }, format) => {
  const back = how === 'deleteContentBackward' && text.length < before.length && count(text) === count(before);
  const head = back ? text.slice(0, caret).replace(/[\p{L}\p{N}]([^\p{L}\p{N}]*)$/u, '$1') : text.slice(0, caret);
  const formatted = format(head + text.slice(caret), how);
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  // There is no room for this key, and it pushes out no existing character.
  if (how === 'insertText' && count(formatted) < count(text) && count(formatted) === count(before))
    return { text: before, caret: before.length - text.length + caret };
  return { text: formatted, caret: after(formatted, count(head)) };
};

/** The number of an identity document. A number that was filled in is also shown in its country's notation. */
export class DocumentField extends Component<ControlProps> {
  /** The number that was filled in, and its shown form. */
  #came = '';
  #shown = '';

  override componentDidMount(): void {
    this.#settle();
  }

  override componentDidUpdate(): void {
    this.#settle();
  }

  override render() {
    const { form, field } = this.props;
    const { checkout } = form;
    return (
      <Input
        checkout={checkout}
        name={field.name}
        autocomplete={field.autocomplete}
        inputMode={field.inputMode}
        required={!field.optional}
        format={field.format}
        follow={retypeText}
        more={{ dir: 'ltr' }}
      />
    );
  }

  /** Outside of typing. Without a notation of the country, the number is shown as it was filled in. */
  #settle(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const { values, stage } = checkout.state;
    const value = values[field.name];
    if (!value || stage.name !== 'form' || document.activeElement?.id === inputId(field.name)) return;
    const came = value === this.#shown ? this.#came : value;
    const shown = this.#written(came);
    if (shown === value) return;
    this.#came = came;
    this.#shown = shown;
    checkout.set({ values: { ...values, [field.name]: shown } });
  }

  /** The number in its country's notation, if that does not change the sent value. */
  #written(text: string): string {
    const { form, field } = this.props;
    const { name, format } = field;
    const written = format?.(text) ?? text;
    const sent = (value: string) => fieldValue(name, value, contextOf(form));
    return sent(written) === sent(text) ? written : text;
  }
}

function count(text: string): number {
  return text.match(SIGNIFICANT)?.length ?? 0;
}

function after(text: string, wanted: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    if (seen === wanted) return at;
    if (count(text[at] ?? '')) seen += 1;
  }
  return text.length;
}
