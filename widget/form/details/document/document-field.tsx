import { Component } from 'preact';
import { fieldValue } from '../../../../shared/checkout/fields/problem.ts';
import type { ExtraField } from '../../fields.ts';
import type { CheckoutModel } from '../../model.ts';
import { inputId } from '../../view/field.tsx';
import { Input } from '../../view/input.tsx';
import { contextOf } from '../context.ts';
import { retypeText } from './retype-text.ts';

type Props = { checkout: CheckoutModel; field: ExtraField };

/** The number of an identity document. One that was filled in is shown as it is written in its country too. */
export class DocumentField extends Component<Props> {
  /** What was filled in, and what it is shown as. */
  #came = '';
  #shown = '';

  override componentDidMount(): void {
    this.#settle();
  }

  override componentDidUpdate(): void {
    this.#settle();
  }

  override render() {
    const { checkout, field } = this.props;
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

  /** While nobody is typing in it. Where its country's way of writing is gone, what was filled in is back. */
  #settle(): void {
    const { checkout, field } = this.props;
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

  /** Written as in its country, where that sends the same. */
  #written(text: string): string {
    const { checkout, field } = this.props;
    const { name, format } = field;
    const written = format?.(text) ?? text;
    const sent = (value: string) => fieldValue(name, value, contextOf(checkout));
    return sent(written) === sent(text) ? written : text;
  }
}
