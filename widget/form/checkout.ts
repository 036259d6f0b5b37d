import type { Boot } from '../../shared/checkout/view.ts';
import { type Translate, translator } from '../locales/messages.ts';
import type { ExtraField } from './fields.ts';
import type { Core, Flow, FlowModule, Listener, Loaded, Loaders, Parts, Platform, ViewsModule } from './model.ts';
import type { FormRules } from './rules.ts';
import {
  initialState,
  type Message,
  type NamedCard,
  needsParts,
  needsViews,
  type ShopperAction,
  type State,
  type View,
} from './state.ts';

/** How long a shopper who pays waits for the flow or the views to load before the form reports that nothing was sent. */
const LOAD_TIMEOUT_MS = 20_000;

/** One checkout in the browser: its state and the shopper's input. The flow handles payments. */
export class Checkout implements Core {
  state: State;
  parts: Parts | undefined;
  flow: FlowModule | undefined;
  views: ViewsModule | undefined;
  boot: Boot;
  readonly platform: Platform;
  readonly #load: Loaders;
  readonly #listeners: Listener[] = [];
  #flow: Promise<Flow | undefined> | undefined;
  #views: Promise<void> | undefined;
  #lastChange = '';
  /** The shopper typed or chose something. Changes before that are not the shopper's. */
  #touched = false;
  /** Fields that the shopper left before the rules were loaded, which come with the flow. */
  readonly #left: string[] = [];

  /** `loaded` are the modules that the view needs. */
  constructor(boot: Boot, platform: Platform, load: Loaders, loaded: Loaded) {
    this.#load = load;
    this.parts = loaded.parts;
    this.flow = loaded.flow;
    this.views = loaded.views;
    this.state = initialState(boot.view);
    if (!this.parts && needsParts(boot.view)) this.state = { ...this.state, stage: { name: 'incomplete' } };
    this.boot = boot;
    this.platform = platform;
  }

  /** Calls `listener` after every change. */
  watch(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Continues with a new page boot, in another language or after a change of the order. The input stays. */
  setLocale(boot: Boot): void {
    this.boot = boot;
    this.set({});
  }

  get extra(): ExtraField[] {
    return this.parts?.findFields(this) ?? [];
  }

  t: Translate = (key, values) => {
    const { messages, free } = this.boot;
    const { view, token } = this.state;
    const texts = Number(view.amount) ? messages : { ...messages, ...free?.[token ? 'saved' : 'typed'] };
    return translator(texts)(key, values);
  };

  /** The amount, or another one of the same currency, as text for the shopper. */
  money(amount = this.state.view.amount): string {
    const { currency } = this.state.view;
    const { locale, view, amount: shown } = this.boot;
    if (amount === view.amount && currency === view.currency) return shown;
    return this.flow?.formatMoney(locale, currency, amount) ?? `${amount} ${currency}`;
  }

  formatMessage({ key, values }: Message, label = ''): string {
    return this.t(key, { amount: this.money(), label, ...values });
  }

  /** A field's value changed. Its error is updated, and removed once the value is corrected or the field is empty. */
  type(name: string, value: string): void {
    if (value === (this.state.values[name] ?? '') || this.#fixed()) return;
    this.set({ values: { ...this.state.values, [name]: value } });
    if (this.state.errors[name]) this.#setError(name, value ? this.#problem(name) : undefined);
    // The rule of the code depends on the number's brand.
    if (name === 'card' && this.state.errors.security_code) this.leave('security_code');
  }

  /** The shopper left a field. An empty field is not wrong before the form is sent. */
  leave(name: string): void {
    if (!this.flow) this.#left.push(name);
    else if (this.state.values[name]) this.#setError(name, this.#problem(name));
  }

  choose(method: string): void {
    if (!this.#fixed()) this.set({ method, errors: {} });
  }

  chooseCard(token: string): void {
    if (!this.#fixed()) this.set({ token, errors: {}, values: { ...this.state.values, security_code: '' } });
  }

  focus(field: string): void {
    this.platform.focus(field);
  }

  /** Loads the session into the form, as soon as the flow is loaded. */
  async start(): Promise<void> {
    await (await this.#open())?.start();
  }

  /** Loads the session again: the shop changed it, or the shopper returned. */
  async refresh(): Promise<void> {
    await (await this.#open())?.refresh();
  }

  async act(what: ShopperAction | NamedCard): Promise<void> {
    await (await this.#open())?.act(what);
  }

  /** Pays, once; calls during a payment do nothing. */
  async submit(): Promise<void> {
    if (!this.platform.secret || this.state.stage.name !== 'form') return;
    void this.loadViews();
    if (!this.flow) {
      this.set({ stage: { name: 'paying' }, message: undefined });
      await Promise.race([this.#open(), this.platform.wait(LOAD_TIMEOUT_MS)]);
      this.set({ stage: { name: 'form' } });
    }
    const { flow } = this;
    if (!flow) {
      // The flow may still be loading, or cannot be loaded.
      const message: Message = { key: this.#flow ? 'not_sent' : 'incomplete_text' };
      this.platform.post({ type: 'error', detail: { code: 'incomplete', message: this.formatMessage(message) } });
      return this.set({ message }, () => this.focus('message'));
    }
    if (this.refuse(flow.problemsOf(this.state, this.#rules))) return;
    this.set({ stage: { name: 'paying' }, message: undefined });
    await (await this.#open())?.pay();
  }

  refuse(wrong: [string, Message][]): boolean {
    this.set({ errors: Object.fromEntries(wrong), wrong: '' });
    if (wrong[0]) this.focus(wrong[0][0]);
    return wrong.length > 0;
  }

  async equip(view: View): Promise<boolean> {
    const [parts] = await Promise.all([
      needsParts(view) ? (this.parts ?? this.#load.parts(view)) : this.parts,
      // With the views a message is drawn once, and announced once.
      needsViews(view) || view.revision > this.state.view.revision ? this.awaitViews() : undefined,
    ]);
    this.parts = parts;
    return Boolean(parts) || !needsParts(view);
  }

  /** Loads the views once, and draws them. A failed load is repeated the next time. */
  loadViews(): Promise<void> {
    const load = async () => {
      this.views ??= await this.#load.views();
      if (this.views) this.set({});
      else this.#views = undefined;
    };
    this.#views ??= load();
    return this.#views;
  }

  async awaitViews(): Promise<Message | undefined> {
    if (!this.views) await Promise.race([this.loadViews(), this.platform.wait(LOAD_TIMEOUT_MS)]);
    if (this.views) return undefined;
    return { key: this.#views ? 'not_sent' : 'incomplete_text' };
  }

  set(patch: Partial<State>, drawn?: () => void): void {
    this.state = { ...this.state, ...patch };
    const { stage, message, errors } = patch;
    if (message || (stage && stage.name !== 'form') || (errors && Object.keys(errors).length)) void this.loadViews();
    for (const listen of this.#listeners) listen(drawn);
    // Fields that are cleared during and after a payment are not changed by the shopper.
    if (this.state.stage.name !== 'form') return;
    const detail = this.flow?.changeDetail(this.state, this.#rules);
    const text = JSON.stringify(detail);
    if (detail && this.#touched && text !== this.#lastChange) this.platform.post({ type: 'change', detail });
    this.#lastChange = text;
  }

  /** The flow, loaded once. A failed load is repeated the next time. */
  #open(): Promise<Flow | undefined> {
    const load = async () => {
      if (!this.flow) {
        this.flow = await this.#load.flow();
        if (!this.flow) this.#flow = undefined;
        this.set({});
        for (const name of this.#left.splice(0)) this.leave(name);
      }
      return this.flow?.startFlow(this);
    };
    this.#flow ??= load();
    return this.#flow;
  }

  /** The shopper changes something. During a payment the paid values stay, and the change is drawn back. */
  #fixed(): boolean {
    this.#touched = true;
    const fixed = this.state.stage.name === 'paying';
    if (fixed) this.set({});
    return fixed;
  }

  get #rules(): FormRules {
    return { extra: this.extra, now: this.platform.now() };
  }

  #problem(name: string): Message | undefined {
    return this.flow?.problemOf(name, this.state, this.#rules);
  }

  #setError(name: string, problem: Message | undefined): void {
    const { [name]: _, ...others } = this.state.errors;
    this.set({ errors: problem ? { ...others, [name]: problem } : others, wrong: name });
  }
}
