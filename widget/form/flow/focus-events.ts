import type { Core } from '../model.ts';
import { fieldNames } from '../rules.ts';
import { inputId } from '../view/field.tsx';

/** Sends the host page the field that the shopper is in, and the Escape key if nothing in the form has a use for it. */
export function sendFocusEvents(document: Document, core: Core): void {
  const { post } = core.platform;
  const fieldOf = ({ target }: Event): string | undefined => {
    const id = target instanceof Element ? target.id : '';
    // The further inputs of a field have a name that begins with its own.
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
