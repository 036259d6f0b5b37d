import type { View } from './state.ts';

/** Whether this view shows anything that is in the parts: every form but a lone card's does. */
export function needsParts(view: View): boolean {
  const { status, methods, collect, installment_options, saved_cards = [], subscription } = view;
  const loneCard = methods.length === 1 && methods[0]?.type === 'card';
  const more = subscription || collect.length || installment_options.length || saved_cards.length;
  return status === 'open' && Boolean(!loneCard || more);
}
