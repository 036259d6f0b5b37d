import type { View } from './state.ts';

/** Whether this view shows anything that is in the parts: all but a lone card form. */
export function needsParts({ methods, collect, installment_options, saved_cards = [], subscription }: View): boolean {
  const loneCard = methods.length === 1 && methods[0]?.type === 'card';
  return !loneCard || Boolean(subscription || collect.length || installment_options.length || saved_cards.length);
}
