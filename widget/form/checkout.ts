import { formatMoney } from '../../shared/checkout/money.ts';
import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { Boot, CheckoutView } from '../../shared/checkout/view.ts';
import { type Say, sayIn } from '../locales/messages.ts';
import { type Answer, newKey } from './api.ts';
import type { Brands } from './card/brand.ts';
import { changeDetail, type ExtraField, fieldNames, problemOf, type Rules } from './fields.ts';
import type { CheckoutModel, Listener, Parts } from './model.ts';
import { afterLook, afterPay, isNews, resultOf } from './outcome.ts';
import { needsParts } from './parts.ts';
import { fieldOfPath, paymentOf } from './payment.ts';
import { prefilled } from './prefill.ts';
import { type Fallback, LOST, reactionTo } from './refusal.ts';
import { chosenMethod, initialState, isPending, type State, type Told } from './state.ts';
import { Teller } from './teller.ts';
import type { World } from './world.ts';

const FIRST_LOOK_MS = 1000;
const SLOWEST_LOOK_MS = 10_000;
/** How often an unchanged session must be seen before a lost request counts as never arrived. */
const LOOKS_AFTER_LOSS = 2;

/** One checkout in the browser: its state, what the shopper can do to it, and what comes of that. */
export class Checkout implements CheckoutModel {
  state: State;
  parts: Parts | undefined;
  brands: Brands | undefined;
  say: Say;
  locale: string;
  readonly #world: World;
  readonly #teller: Teller;
  #listener: Listener = () => {};
  #following = false;
  #prefilled = false;
  /** Counts the tries to pay: a look at the session that began before the last one is out of date. */
  #tries = 0;
  /** Names the next try to pay. One whose request or answer was lost keeps it: come late, the two are the same to the relay. */
  #key = newKey();

  constructor(boot: Boot, world: World, parts?: Parts) {
    this.state = initialState(boot.view);
    if (!parts && needsParts(boot.view)) this.state = { ...this.state, stage: { name: 'incomplete' } };
    this.say = sayIn(boot.messages);
    this.locale = boot.locale;
    this.parts = parts;
    this.#world = world;
    this.#teller = new Teller(world.post);
  }

  /** Calls `listener` after every change; there is one listener. */
  watch(listener: Listener): void {
    this.#listener = listener;
  }

  /** Goes on in another language; what was typed stays. */
  speak({ locale, messages }: Boot): void {
    this.locale = locale;
    this.say = sayIn(messages);
    this.#set({});
  }

  get extra(): ExtraField[] {
    return this.parts?.findFields(this.state.view, chosenMethod(this.state)) ?? [];
  }

  /** The amount, or another one of the same currency, as the shopper reads it. */
  money(amount = this.state.view.amount): string {
    return formatMoney(this.locale, this.state.view.currency, amount);
  }

  tell({ key, values }: Told): string {
    return this.say(key, { amount: this.money(), ...values });
  }

  /** A field's value changed. An error that it had follows, and goes as soon as it is mended or the field is emptied. */
  type(name: string, value: string): void {
    if (this.#fixed()) return;
    this.#set({ values: { ...this.state.values, [name]: value } });
    if (this.state.errors[name]) this.#setError(name, value ? this.#problem(name) : undefined);
  }

  /** The shopper went on to another field. An empty one is not wrong before the form is sent. */
  leave(name: string): void {
    if (!this.state.values[name]) return;
    this.#setError(name, this.#problem(name));
  }

  choose(method: string): void {
    if (!this.#fixed()) this.#set({ method, errors: {} });
  }

  chooseCard(token: string): void {
    if (!this.#fixed()) this.#set({ token, errors: {}, values: this.#withoutCode });
  }

  /** First look at the session, beside the shopper who may already be typing. */
  async start(): Promise<void> {
    if (!this.#world.api) return this.#break('no_secret');
    if (this.state.stage.name === 'incomplete') return this.#break('incomplete', 'incomplete');
    await Promise.all([this.#look(), this.#learnBrands()]);
  }

  /** Looks at the session again: the shop changed it, or the shopper is back. */
  async refresh(): Promise<void> {
    const settled = ['paying', 'approved', 'broken'].includes(this.state.stage.name);
    if (!settled && !this.#following) await this.#look();
  }

  /** Pays, once; while that runs, further calls do nothing. */
  async submit(): Promise<void> {
    const { api } = this.#world;
    if (!api || this.state.stage.name !== 'form') return;
    const extra = this.extra;
    if (this.#refuse(fieldNames(this.state, extra).flatMap((name) => this.#problemEntry(name)))) return;
    const sent = this.state;
    this.#set({ stage: { name: 'paying' }, told: undefined });
    this.#tries += 1;
    this.#teller.submit();
    const added = this.parts?.requestOf(sent, extra) ?? {};
    const body = paymentOf(sent, added, await this.#world.device());
    // The code never outlives its try, whatever comes of it.
    this.#set({ values: this.#withoutCode });
    await this.#settle(await api.pay(body, this.#key));
  }

  async #settle(answer: Answer<PayAnswer>): Promise<void> {
    if (answer.kind === 'lost') return this.#follow(LOST);
    if (answer.kind === 'problem') return this.#refused(answer);
    this.#key = newKey();
    const { body } = answer;
    this.#set(afterPay(this.state, body));
    const { order_no, transaction_id } = this.state.view;
    const order = order_no ? { order_no } : {};
    this.#teller.result({ status: body.status, ...order, ...(body.status === 'approved' && { transaction_id }) });
    if (this.state.stage.name === 'failed') this.#teller.result({ status: 'failed', ...order });
    if (body.status === 'redirect') this.#world.navigate(body.redirect_url);
    if (body.status === 'unknown') await this.#follow();
  }

  async #refused(problem: Extract<Answer<PayAnswer>, { kind: 'problem' }>): Promise<void> {
    const reaction = reactionTo(problem);
    if (reaction.do !== 'follow') this.#key = newKey();
    switch (reaction.do) {
      case 'break':
        return this.#break(problem.code);
      case 'tell':
        return this.#back(reaction.told, problem.code);
      case 'look':
        return this.#look({ code: problem.code, told: reaction.told });
      case 'follow':
        return this.#follow(LOST);
      case 'mark': {
        const shown = fieldNames(this.state, this.extra);
        const wrong = reaction.paths.map(fieldOfPath).filter((name) => shown.includes(name));
        this.#back(wrong.length ? undefined : { key: 'not_accepted' }, problem.code);
        this.#refuse(wrong.map((name) => [name, { key: 'field_invalid' }]));
      }
    }
  }

  /** Looks at the session until it is settled, ever more slowly. `lost` is told if no payment can be seen to have arrived. */
  async #follow(lost?: Fallback): Promise<void> {
    if (!isPending(this.state.stage)) this.#set({ stage: { name: 'confirming' } });
    if (this.#following) return;
    this.#following = true;
    try {
      let unchanged = 0;
      for (let ms = FIRST_LOOK_MS; isPending(this.state.stage); ms = Math.min(ms * 1.6, SLOWEST_LOOK_MS)) {
        await this.#world.wait(ms);
        const answer = await this.#load();
        if (answer?.kind !== 'ok') continue;
        const { body } = answer;
        const untold = body.status === 'open' && !isNews(this.state.view, body);
        if (lost && untold && ++unchanged < LOOKS_AFTER_LOSS) continue;
        this.#show(body, lost);
      }
    } finally {
      this.#following = false;
    }
  }

  async #look(fallback?: Fallback): Promise<void> {
    const tries = this.#tries;
    const answer = await this.#load();
    if (tries !== this.#tries) return;
    if (answer?.kind === 'ok') this.#show(answer.body, fallback);
    const { stage } = this.state;
    if (isPending(stage)) await this.#follow();
    else if (stage.name === 'paying' || stage.name === 'leaving') await this.#follow(fallback);
  }

  async #load(): Promise<Answer<CheckoutView> | undefined> {
    const answer = await this.#world.api?.load();
    if (answer?.kind === 'problem' && (answer.status === 401 || answer.status === 404)) this.#break(answer.code);
    if (answer?.kind === 'ok' && needsParts(answer.body)) {
      this.parts ??= await this.#world.loadParts();
      if (!this.parts) this.#break('incomplete', 'incomplete');
    }
    return this.state.stage.name === 'incomplete' && !this.parts ? undefined : answer;
  }

  #show(view: CheckoutView, fallback?: Fallback): void {
    const { stage, view: before } = this.state;
    // Answers may overtake each other: what is settled, or newer, stays.
    if (stage.name === 'approved' || stage.name === 'broken' || view.revision < before.revision) return;
    const cameBack = isPending(stage) || stage.name === 'leaving';
    const result = resultOf(view, cameBack && (!fallback || isNews(before, view)));
    const patch = afterLook(this.state, view, fallback?.told);
    // The try has come to something, so the next one is another.
    if (isNews(before, view)) this.#key = newKey();
    this.#set(this.#prefilled ? patch : { ...patch, ...prefilled({ ...this.state, ...patch }) });
    this.#prefilled = true;
    if (result) this.#teller.result(result);
    else if (fallback && this.state.told === fallback.told) this.#teller.error(fallback.code, this.tell(fallback.told));
  }

  #back(told: Told | undefined, code: string): void {
    this.#set({ stage: { name: 'form' }, told });
    this.#teller.error(code, told ? this.tell(told) : this.say('fields_invalid'));
  }

  #break(code: string, name: 'broken' | 'incomplete' = 'broken'): void {
    this.#set({ stage: { name }, values: {} });
    this.#teller.error(code, this.say(`${name}_title`));
  }

  /** While a payment is under way what it pays stays as it is; whatever was changed in the page is drawn anew. */
  #fixed(): boolean {
    const fixed = this.state.stage.name === 'paying';
    if (fixed) this.#set({});
    return fixed;
  }

  get #withoutCode(): State['values'] {
    return { ...this.state.values, security_code: '' };
  }

  get #rules(): Rules {
    return { extra: this.extra, brands: this.brands, now: this.#world.now() };
  }

  async #learnBrands(): Promise<void> {
    this.brands = await this.#world.loadBrands();
    this.#set({});
  }

  #problem(name: string): Told | undefined {
    return problemOf(name, this.state, this.#rules);
  }

  #problemEntry(name: string): [string, Told][] {
    const problem = this.#problem(name);
    return problem ? [[name, problem]] : [];
  }

  #refuse(wrong: [string, Told][]): boolean {
    this.#set({ errors: Object.fromEntries(wrong) });
    const [first] = wrong;
    if (!first) return false;
    this.#world.focus(first[0]);
    return true;
  }

  /** Takes a shopper who is back in the form to what comes next: a wrong field, the code to type again, or what is told. */
  #lead(): void {
    const { errors, method } = this.state;
    this.#world.focus(Object.keys(errors)[0] ?? (method === 'card' ? 'security_code' : 'told'));
  }

  #setError(name: string, problem: Told | undefined): void {
    const { [name]: _, ...others } = this.state.errors;
    this.#set({ errors: problem ? { ...others, [name]: problem } : others });
  }

  #set(patch: Partial<State>): void {
    const { stage: before } = this.state;
    this.state = { ...this.state, ...patch };
    const back = this.#tries && before.name !== 'form' && this.state.stage.name === 'form';
    this.#listener(back ? () => this.#lead() : undefined);
    this.#teller.change(changeDetail(this.state, this.#rules));
  }
}
