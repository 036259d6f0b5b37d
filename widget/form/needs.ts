import type { View } from './state.ts';

/** More methods than these stand in a chooser of their own. */
export const MANY_METHODS = 6;

/** Whether this view shows anything that is in the parts: every form does but a card's and plain methods'. */
export function needsParts(view: View): boolean {
  const { status, installment_options, offers_saving, saved_cards, subscription } = view;
  return (
    status === 'open' &&
    Boolean(subscription || installment_options.length || offers_saving || saved_cards?.length || needsFieldTexts(view))
  );
}

/** Whether this view may say what only forms say that ask for more, or offer many methods. */
export function needsFieldTexts(view: View): boolean {
  return view.methods.length > MANY_METHODS || needsDetails(view);
}

/** Whether this view asks for anything beside the card that is typed or chosen from a list. */
export function needsDetails({ methods, collect }: View): boolean {
  return Boolean(
    collect.length ||
      methods.some((method) => method.type === 'apm' && (method.banks?.length || method.fields?.length)),
  );
}

/** Whether this view shows what the flow brings: anything but the form, a message in it, and further amounts. */
export function needsFlow(view: View): boolean {
  return view.status !== 'open' || view.notice !== undefined || needsParts(view);
}
