import type { ComponentChildren, ComponentType } from 'preact';
import type { ChangeDetail, FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { Boot } from '../../shared/checkout/view.ts';
import type { ReadFingerprint } from '../device/device-reader.ts';
import type { Translate } from '../locales/messages.ts';
import type { ExtraField } from './fields.ts';
import type { FormRules } from './rules.ts';
import type { Message, NamedCard, OutcomeStage, ShopperAction, State, View } from './state.ts';

/** A checkout for its views: the shown data, and the shopper's actions. */
export type CheckoutModel = {
  readonly state: State;
  readonly platform: Platform;
  readonly t: Translate;
  /** The texts and values of the page, or of the language chosen later. */
  readonly boot: Boot;
  readonly extra: ExtraField[];
  readonly parts: Parts | undefined;
  readonly flow: FlowModule | undefined;
  readonly views: ViewsModule | undefined;
  /** The session's amount, or another one of the same currency, as text for the shopper. */
  money(amount?: string): string;
  /** `label` is the label of the field of the message. */
  formatMessage(message: Message, label?: string): string;
  type(name: string, value: string): void;
  leave(name: string): void;
  choose(method: string): void;
  chooseCard(token: string): void;
  focus(field: string): void;
  submit(): Promise<void>;
  /** The shopper reports that an awaited payment was made elsewhere, abandons it, or removes a saved card. */
  act(what: ShopperAction | NamedCard): Promise<void>;
  /** Continues with a new page boot. */
  setLocale(boot: Boot): void;
  watch(listener: Listener): void;
  /** Changes the state, draws it, and then calls `drawn`. */
  set(patch: Partial<State>, drawn?: () => void): void;
};

/** Draws the changes, and then calls `drawn`. */
export type Listener = (drawn?: () => void) => void;

/** A checkout for the flow of a payment. */
export type Core = CheckoutModel & {
  /** Marks these fields as wrong, and moves the focus to the first. False if there is none. */
  refuse(wrong: [name: string, Message][]): boolean;
  /** Loads the views while the shopper reads or types. */
  loadViews(): Promise<void>;
  /** Loads the views, for a limited time. Without them it returns the message that nothing was sent, and why. */
  awaitViews(): Promise<Message | undefined>;
  /** Loads the modules that this view needs beyond a plain card; false if its parts cannot be loaded. */
  equip(view: State['view']): Promise<boolean>;
};

/** The behaviour of the form after its start: polls of the session, and payments. */
export type Flow = {
  /** Loads the session for the first time; the shopper may already type. */
  start(): Promise<void>;
  /** Loads the session again, after a change by the shop or the shopper's return. */
  refresh(): Promise<void>;
  /** Pays with the input. The stage is already `paying`. */
  pay(): Promise<void>;
  /** The shopper reports that an awaited payment was made elsewhere, abandons it, or removes a saved card. */
  act(what: ShopperAction | NamedCard): Promise<void>;
};

/** The flow, loaded separately, once the form is visible and accepts input. */
export type FlowModule = {
  startFlow(core: Core): Flow;
  /** The fault of a field's value, if there is one. */
  problemOf(name: string, state: State, rules: FormRules): Message | undefined;
  /** The invalid fields in display order. */
  problemsOf(state: State, rules: FormRules): [name: string, Message][];
  /** The data about the input that the shop's page may have. */
  changeDetail(state: State, rules: FormRules): ChangeDetail;
  formatMoney(locale: string, currency: string, amount: string): string;
};

/**
 * The views of messages and outcomes, with their styles and the drawings of all brands. They are loaded when the
 * shopper first touches the form, or when it needs one of them.
 */
export type ViewsModule = {
  /** The view that replaces the form. */
  Outcome: ComponentType<{
    checkout: CheckoutModel;
    stage: OutcomeStage;
    hosted: HostedModule | undefined;
    focus: boolean;
  }>;
  /** The text that screen readers announce about the invalid fields. */
  spokenError(checkout: CheckoutModel): string;
  /** The content of the message about the last attempt, or about a change, and whether it has the calm style. */
  describeMessage(checkout: CheckoutModel, message: Message): { isCalm: boolean; content: ComponentChildren };
};

/** The parts around the form on the hosted page. */
export type HostedModule = {
  /** Starts the parts around the form. */
  start(checkout: CheckoutModel): void;
  /** The shopper's options after an outcome, below its text; `isNew`: it came while the page was open. */
  WayOn: ComponentType<{ checkout: CheckoutModel; stage: OutcomeStage; title: string; isNew: boolean }>;
};

/** The parts for forms with more than a card. They are loaded separately. */
export type Parts = {
  /** The fields besides the card's that must be filled in now. */
  findFields(checkout: CheckoutModel): ExtraField[];
  /** The fields that this form adds to the request besides a typed card. */
  requestOf(checkout: CheckoutModel): Tree;
  /** The name of the field for this path of the request. A hidden field becomes visible. */
  place(checkout: CheckoutModel, path: string): string;
  /** The chooser of many methods. */
  Chooser: ComponentType<{ checkout: CheckoutModel; panel: ComponentChildren }>;
  /** The shopper's saved cards, above the card's fields. */
  SavedCards: ComponentType<{ checkout: CheckoutModel }>;
  /** Asks whether to save the typed card, if the session offers that. */
  SaveCard: ComponentType<{ checkout: CheckoutModel }>;
  /** The chosen method's fields besides the card's. */
  Between: ComponentType<{ checkout: CheckoutModel }>;
  /** The fields below the methods, whichever is chosen. */
  Below: ComponentType<{ checkout: CheckoutModel }>;
};

/** The fields besides the card's, and their views, loaded with the parts by forms with such fields. */
export type DetailsModule = Pick<Parts, 'findFields' | 'place'> & {
  /** The fields that they add to the request. */
  treeOf(checkout: CheckoutModel): Tree;
  /** The fields of the chosen method, or those that the session requests for every method. */
  Details: ComponentType<{ checkout: CheckoutModel; own: boolean }>;
};

/** The functions that load the modules. They never fail: undefined if a module cannot be loaded. */
export type Loaders = {
  parts(view: View): Promise<Parts | undefined>;
  flow(): Promise<FlowModule | undefined>;
  views(): Promise<ViewsModule | undefined>;
};

/** The modules that a first view has. */
export type Loaded = Partial<Pick<CheckoutModel, 'parts' | 'flow' | 'views'>>;

/** A part of a request. */
export type Tree = { [name: string]: string | Tree };

/** Everything that the form needs from outside. */
export type Platform = {
  /** The session's client secret; empty if the address contains none. */
  secret: string;
  /** Never fails; undefined if it cannot be loaded. */
  loadFingerprint(): Promise<ReadFingerprint | undefined>;
  /** The `Accept` header with which the browser requested the form's page, if it is known. */
  accept?: string | undefined;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** False if the device reports that it has no network. */
  online(): boolean;
  /** Sends an event to the shop's page. */
  post(message: Unmarked<FrameMessage>): void;
  navigate(url: string): void;
  /** Moves the focus to a field, or to the message: `message`. */
  focus(field: string): void;
};
