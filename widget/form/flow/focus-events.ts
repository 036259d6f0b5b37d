import type { Core } from '../model.ts';
import { fieldNames } from '../rules.ts';
import { inputId } from '../view/field.tsx';

/** Sends the host page the field that the shopper is in, and the Escape key if the form does not use it. */
export function sendFocusEvents(document: Document, core: Core): void {
  const { post } = core.platform;
  const fieldOf = ({ target }: Event): string | undefined => {
    const id = target instanceof Element ? target.id : '';
    // The names of a field's further inputs begin with the name of the field.
    return fieldNames(core.state, core.extra).find((name) => `${id}-`.startsWith(`${inputId(name)}-`));
  };
  const tell = (type: 'focus' | 'blur') => (event: Event) => {
    const field = fieldOf(event);
    if (field) post({ type, detail: { field } });
  };
  document.addEventListener('focusin', tell('focus'));
  document.addEventListener('focusout', tell('blur'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) post({ type: 'escape' });
  });
}
