import type { Core } from '../model.ts';
import { fieldNames } from '../rules.ts';
import { inputId } from '../view/field.tsx';

/** The field that an event happens in. */
export function fieldOf({ target }: Event, core: Core): string | undefined {
  const id = target instanceof Element ? target.id : '';
  // The names of a field's further inputs begin with the name of the field.
  return fieldNames(core.state, core.extra).find((name) => `${id}-`.startsWith(`${inputId(name)}-`));
}

/** Sends the host page the field that the shopper is in, and the Escape key if the form does not use it. */
export function sendFocusEvents(document: Document, core: Core): void {
  const { post } = core.platform;
  const tell = (type: 'focus' | 'blur') => (event: Event) => {
    const field = fieldOf(event, core);
    if (field) post({ type, detail: { field } });
  };
  document.addEventListener('focusin', tell('focus'));
  document.addEventListener('focusout', tell('blur'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) post({ type: 'escape' });
  });
}
