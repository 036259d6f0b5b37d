import type { ComponentChildren, ComponentType } from 'preact';
import type { ChangeDetail, FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { Boot } from '../../shared/checkout/view.ts';
import type { ReadFingerprint } from '../device/device-reader.ts';
import type { Translate } from '../locales/messages.ts';
import type { ExtraField } from './fields.ts';
import type { FormRules } from './rules.ts';
import type { Message, NamedCard, OutcomeStage, ShopperAction, State, View } from './state.ts';

/** A checkout as its views see it: what to show, and what the shopper can do. */
export type CheckoutModel = {
  readonly state: State;
  readonly platform: Platform;
  readonly t: Translate;
  /** The texts and values of the page, or of the language chosen later. */
  readonly boot: Boot;
  readonly extra: ExtraField[];
  readonly parts: Parts | undefined;
  readonly flow: FlowModule | undefined;
  /** The session's amount, or another one of the same currency, as the shopper reads it. */
  money(amount?: string): string;
  /** `label` is that of the field whose message it is. */
  formatMessage(message: Message, label?: string): string;
  type(name: string, value: string): void;
  leave(name: string): void;
  choose(method: string): void;
  chooseCard(token: string): void;
  focus(field: string): void;
  submit(): Promise<void>;
  /** Says that the shopper has paid what is awaited elsewhere, gives it up to choose another way, or removes a saved card. */
  act(what: ShopperAction | NamedCard): Promise<void>;
  /** Goes on with what the page came with anew. */
  setLocale(boot: Boot): void;
  watch(listener: Listener): void;
  /** Changes the state, draws it, and then calls `drawn`. */
  set(patch: Partial<State>, drawn?: () => void): void;
};

/** Draws what has changed, and then calls `drawn`. */
export type Listener = (drawn?: () => void) => void;

/** A checkout as the flow of a payment sees it. */
export type Core = CheckoutModel & {
  /** Marks these fields as wrong, and takes the shopper to the first. False when there is none. */
  refuse(wrong: [name: string, Message][]): boolean;
  /** Loads what this view needs beyond a plain card; false if that cannot be loaded. */
  equip(view: State['view']): Promise<boolean>;
};

/** The behaviour of the form after its start: polls of the session, and payments. */
export type Flow = {
  /** Loads the session for the first time; the shopper may already type. */
  start(): Promise<void>;
  /** Loads the session again, after a change by the shop or the shopper's return. */
  refresh(): Promise<void>;
  /** Pays what was filled in. The stage is `paying` already. */
  pay(): Promise<void>;
  /** Says that the shopper has paid what is awaited elsewhere, gives it up to choose another way, or removes a saved card. */
  act(what: ShopperAction | NamedCard): Promise<void>;
};

/** The flow and what it shows: loaded on its own, once the form can be seen and typed into. */
export type FlowModule = {
  startFlow(core: Core): Flow;
  /** What is wrong with a field's value, if anything. */
  problemOf(name: string, state: State, rules: FormRules): Message | undefined;
  /** The fields that are wrong, in the order in which they stand. */
  problemsOf(state: State, rules: FormRules): [name: string, Message][];
  /** What the shop's page may know of what was typed. */
  changeDetail(state: State, rules: FormRules): ChangeDetail;
  formatMoney(locale: string, currency: string, amount: string): string;
  /** What replaces the form. */
  Outcome: ComponentType<{
    checkout: CheckoutModel;
    stage: OutcomeStage;
    hosted: HostedModule | undefined;
    focus: boolean;
  }>;
  /** What is read out of the fields that are wrong. */
  spokenError(checkout: CheckoutModel): string;
  /** The message about the last try, or about what changed. */
  MessageView: ComponentType<{ checkout: CheckoutModel; message: Message }>;
};

/** The parts around the form on the hosted page. */
export type HostedModule = {
  /** Brings to life what is around the form. */
  start(checkout: CheckoutModel): void;
  /** What the shopper can do about an outcome, below its text; `isNew`: it came while the page was open. */
  WayOn: ComponentType<{ checkout: CheckoutModel; stage: OutcomeStage; title: string; isNew: boolean }>;
};

/** The parts for forms with more than a card. They are loaded separately. */
export type Parts = {
  /** The fields beside the card's that are to be filled in now. */
  findFields(checkout: CheckoutModel): ExtraField[];
  /** What this form adds to the request, beside a typed card. */
  requestOf(checkout: CheckoutModel): Tree;
  /** The name of the field that shows this path of the request; one that is hidden is brought to light. */
  place(checkout: CheckoutModel, path: string): string;
  /** The chooser of many methods. */
  Chooser: ComponentType<{ checkout: CheckoutModel; panel: ComponentChildren }>;
  /** The shopper's own cards, above the card's fields. */
  SavedCards: ComponentType<{ checkout: CheckoutModel }>;
  /** Asks to keep the card that is typed, if the session offers that. */
  SaveCard: ComponentType<{ checkout: CheckoutModel }>;
  /** What the chosen method asks for beside the card's fields. */
  Between: ComponentType<{ checkout: CheckoutModel }>;
  /** What stands below the methods, whichever is chosen. */
  Below: ComponentType<{ checkout: CheckoutModel }>;
};

/** The fields beside the card's, and how they look: loaded with the parts by forms that ask for any. */
export type DetailsModule = Pick<Parts, 'findFields' | 'place'> & {
  /** What these fields add to the request. */
  treeOf(checkout: CheckoutModel): Tree;
  /** The fields of the chosen method itself, or those that the session asks for whichever is chosen. */
  Details: ComponentType<{ checkout: CheckoutModel; own: boolean }>;
};

/** How to get these two. Never fails: undefined if it cannot be loaded. */
export type Loaders = { parts(view: View): Promise<Parts | undefined>; flow(): Promise<FlowModule | undefined> };

/** A part of a request. */
export type Tree = { [name: string]: string | Tree };

/** All that the form needs from outside. */
export type Platform = {
  /** The session's client secret; empty if the address holds none. */
  secret: string;
  /** Never fails; undefined if it cannot be loaded. */
  loadFingerprint(): Promise<ReadFingerprint | undefined>;
  /** The `Accept` header with which the browser asked for the form's page, if it is known. */
  accept?: string | undefined;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** False if the device knows that it has no network. */
  online(): boolean;
  /** Tells the shop's page. */
  post(message: Unmarked<FrameMessage>): void;
  navigate(url: string): void;
  /** Takes the shopper to a field, or to the message: `message`. */
  focus(field: string): void;
};
