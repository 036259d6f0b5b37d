import type { ComponentType } from 'preact';
import type { Say } from '../locales/messages.ts';
import type { Brands } from './card/brand.ts';
import type { ExtraField, FindExtraFields } from './fields.ts';
import type { Tree } from './payment.ts';
import type { State, Told } from './state.ts';

/** A checkout as its views see it: what to show, and what the shopper can do. */
export type CheckoutModel = {
  readonly state: State;
  readonly say: Say;
  readonly locale: string;
  readonly extra: ExtraField[];
  readonly brands: Brands | undefined;
  readonly parts: Parts | undefined;
  /** The session's amount, or another one of the same currency, as the shopper reads it. */
  money(amount?: string): string;
  tell(told: Told): string;
  type(name: string, value: string): void;
  leave(name: string): void;
  choose(method: string): void;
  chooseCard(token: string): void;
  submit(): Promise<void>;
  watch(listener: Listener): void;
};

/** Draws what has changed, and then calls `drawn`. */
export type Listener = (drawn?: () => void) => void;

/** What a form beyond the plain card needs: loaded on its own, so that card forms do not carry it. */
export type Parts = {
  findFields: FindExtraFields;
  /** What these fields add to the request. */
  requestOf(state: State, extra: readonly ExtraField[]): Tree;
  /** What to pay with, above the card's fields. */
  Choices: ComponentType<{ checkout: CheckoutModel }>;
  /** Everything that stands between the method and the button. */
  Details: ComponentType<{ checkout: CheckoutModel }>;
};
