import type { ComponentType } from 'preact';
import type { Checkout } from './checkout.ts';
import type { ExtraField, FindExtraFields } from './fields.ts';
import type { Tree } from './payment.ts';
import type { State, View } from './state.ts';

/** What a form beyond the plain card needs: loaded on its own, so that card forms do not carry it. */
export type Parts = {
  findFields: FindExtraFields;
  /** What these fields add to the request. */
  requestOf(state: State, extra: readonly ExtraField[]): Tree;
  /** What to pay with, above the card's fields. */
  Choices: ComponentType<{ checkout: Checkout }>;
  /** Everything that stands between the method and the button. */
  Details: ComponentType<{ checkout: Checkout }>;
};

/** Whether this view shows anything that is in the parts: all but a lone card form. */
export function needsParts({ methods, collect, installment_options, saved_cards = [], subscription }: View): boolean {
  const loneCard = methods.length === 1 && methods[0]?.type === 'card';
  return !loneCard || Boolean(subscription || collect.length || installment_options.length || saved_cards.length);
}
