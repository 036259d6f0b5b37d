import type { ComponentChildren } from 'preact';
import type { CheckoutModel } from '../model.ts';

export function inputId(name: string): string {
  return `field-${name}`;
}

export function errorId(name: string): string {
  return `error-${name}`;
}

type Props = { checkout: CheckoutModel; name: string; label: string; children: ComponentChildren };

/** A label, its input, and the line that is kept free for what may be wrong with it, read out as it appears. */
export function Field({ checkout, name, label, children }: Props) {
  const error = checkout.state.errors[name];
  return (
    <div class="field">
      <label for={inputId(name)}>{label}</label>
      <div class="box">{children}</div>
      <p class="error" id={errorId(name)} aria-live="polite">
        {error && checkout.formatMessage(error)}
      </p>
    </div>
  );
}
