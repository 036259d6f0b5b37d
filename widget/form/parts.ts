import type { View } from './state.ts';

/** Whether this view shows anything that is in the parts: every form does but a card's and plain methods'. */
export function needsParts(view: View): boolean {
  const { status, installment_options, saved_cards, subscription } = view;
  return (
    status === 'open' &&
    Boolean(subscription || installment_options.length || saved_cards?.length || needsDetails(view))
  );
}

/** Whether this view asks for anything beside the card that is typed or chosen from a list. */
export function needsDetails({ methods, collect }: View): boolean {
  return Boolean(
    collect.length ||
      methods.some((method) => method.type === 'apm' && (method.banks?.length || method.fields?.length)),
  );
}

/** Whether this view shows what the flow brings: anything but the form, what is told in it, and further amounts. */
export function needsFlow(view: View): boolean {
  return view.status !== 'open' || view.notice !== undefined || needsParts(view);
}
