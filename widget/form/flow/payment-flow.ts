import type { Device, PayAnswer } from '../../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import type { Core, Flow } from '../model.ts';
import type { Message, NamedCard, ShopperAction, State } from '../state.ts';
import { type Answer, type Api, newKey } from './api.ts';
import { awaitedLabel, isAwaited } from './awaited.ts';
import { focusNext } from './focus-next.ts';
import { FrameEvents } from './frame-events.ts';
import { afterAbandon, afterLoad, afterPay, hasNewNotice, prefilled, resultOf } from './outcome.ts';
import {
  type Fallback,
  LOST,
  notAbandoned,
  paymentOf,
  reactionTo,
  sentNothing,
  textOf,
  wrongFields,
} from './payment.ts';
import { learnPlanTexts } from './plan-texts.ts';
import { FIRST_POLL_MS, isWatched, nextPauseMs, Pauses, Watch } from './polling.ts';

/** How often an unchanged session must be polled before a lost request counts as never received. */
const POLLS_AFTER_LOSS = 2;
/** After this time the form shows that the payment is still in progress. */
const LONG_MS = 8000;

/** One checkout: polls of its session, payments, and their outcomes. */
export class PaymentFlow implements Flow {
  readonly #core: Core;
  readonly #api: Api;
  readonly #device: () => Promise<Device>;
  readonly #events: FrameEvents;
  readonly #pauses: Pauses;
  /** Polls the session while another payment may still arrive: in place of the form's, or as a second one. */
  readonly #watch: Watch;
  #polling = false;
  #prefilled = false;
  /** Incremented by each action of the shopper. Answers to older requests are ignored. */
  #actions = 0;
  /** The idempotency key of the next payment. It is kept after a lost answer. */
  #key = newKey();

  /** `device` reads the data of the device; it takes three seconds at most and never fails. */
  constructor(core: Core, api: Api, device: () => Promise<Device>) {
    this.#core = core;
    this.#api = api;
    this.#device = device;
    this.#pauses = new Pauses(core.platform.wait);
    this.#events = new FrameEvents((message) => core.platform.post(message));
    const isOn = () => isWatched(this.#state);
    this.#watch = new Watch(core.platform.wait, isOn, () => this.#reload());
  }

  async start(): Promise<void> {
    if (!this.#core.platform.secret) this.#break('no_secret');
    else if (this.#state.stage.name === 'incomplete') this.#break('incomplete', 'incomplete');
    else await this.#reload();
  }

  async refresh(): Promise<void> {
    const settled = ['paying', 'approved', 'broken'].includes(this.#state.stage.name);
    if (settled && !isWatched(this.#state)) return;
    if (this.#polling) return this.#pauses.hurry();
    await this.#reload();
    this.#watch.renew();
  }

  async pay(): Promise<void> {
    const { platform, parts } = this.#core;
    this.#actions += 1;
    // No payment is sent before its outcome can be shown.
    const missing = await this.#core.awaitViews();
    if (missing) return this.#back(missing, 'incomplete');
    const sent = this.#state;
    this.#events.submit();
    // A device that reports that it is offline loads the session first, so that no payment is sent without a connection.
    if (!platform.online() && (await this.#api.load()).kind === 'lost')
      return this.#back({ key: 'offline' }, 'offline');
    const added = parts?.requestOf(this.#core) ?? {};
    const body = paymentOf(sent, added, await this.#device());
    // The code is cleared after the attempt, unless nothing was sent. Dots replace it meanwhile.
    const { security_code = '' } = sent.values;
    this.#setCode('•'.repeat(security_code.length));
    void this.#showLongWait(this.#actions);
    const answer = await this.#api.pay(body, this.#key);
    this.#setCode(answer.kind === 'problem' && sentNothing(answer) ? security_code : '');
    await this.#settle(answer);
  }

  async act(what: ShopperAction | NamedCard): Promise<void> {
    if (typeof what === 'object') return this.#removeCard(what);
    const before = this.#state;
    if (!isAwaited(before.stage) || before.action) return;
    this.#actions += 1;
    this.#set({ action: what, message: undefined });
    const answer = await this.#load(() => this.#api.act(what));
    this.#actions += 1;
    this.#set({ action: undefined });
    if (answer?.kind === 'ok') {
      this.#show(answer.body, undefined, what === 'abandon' ? awaitedLabel(before.view) : undefined);
      return this.#pauses.hurry();
    }
    const key = answer?.kind === 'problem' ? notAbandoned(answer.code) : undefined;
    if (answer?.kind === 'problem' && key && isAwaited(this.#state.stage)) {
      this.#set({ message: { key } });
      this.#events.error(answer.code, this.#core.t(key));
    }
    // The session shows whether the relay received it.
    await this.refresh();
  }

  async #removeCard({ token_id, card }: NamedCard): Promise<void> {
    this.#actions += 1;
    const answer = await this.#load(() => this.#api.removeCard(token_id));
    this.#actions += 1;
    const isRemoved = answer?.kind === 'ok';
    if (isRemoved) this.#show(answer.body);
    if (this.#state.stage.name !== 'form') return;
    const message: Message = isRemoved ? { key: 'card_removed', values: { card } } : { key: 'card_not_removed' };
    this.#core.set({ message }, () => this.#core.focus('message'));
  }

  get #state(): State {
    return this.#core.state;
  }

  async #settle(answer: Answer<PayAnswer>): Promise<void> {
    if (answer.kind === 'lost') return this.#poll(LOST);
    if (answer.kind === 'problem') return this.#refused(answer);
    this.#key = newKey();
    const { body } = answer;
    const patch = afterPay(this.#state, body);
    const { stage, view } = { ...this.#state, ...patch };
    const { order_no, transaction_id } = view;
    const order = order_no ? { order_no } : {};
    this.#events.result({ status: body.status, ...order, ...(body.status === 'approved' && { transaction_id }) });
    if (stage.name === 'failed') this.#events.result({ status: 'failed', ...order });
    this.#set(patch);
    if (body.status === 'redirect') this.#core.platform.navigate(body.redirect_url);
    if (body.status === 'unknown') await this.#poll();
    if (body.status === 'pending') await this.#reload();
  }

  async #refused(problem: Extract<Answer<PayAnswer>, { kind: 'problem' }>): Promise<void> {
    const reaction = reactionTo(problem);
    if (reaction.do !== 'poll') this.#key = newKey();
    switch (reaction.do) {
      case 'break':
        return this.#break(problem.code);
      case 'show':
        return this.#back(reaction.message, problem.code);
      case 'reload':
        return this.#reload({ code: problem.code, message: reaction.message });
      case 'poll':
        return this.#poll(LOST);
      case 'mark': {
        const wrong = wrongFields(this.#core, reaction.paths);
        this.#back(wrong.length ? undefined : { key: 'not_accepted' }, problem.code);
        this.#core.refuse(wrong);
      }
    }
  }

  /** Polls the session until it is settled, ever more slowly. Shows `lost` if no payment arrived. */
  async #poll(lost?: Fallback): Promise<void> {
    if (!isAwaited(this.#state.stage)) this.#set({ stage: { name: 'confirming' }, message: undefined });
    if (this.#polling) return;
    this.#polling = true;
    try {
      let unchanged = 0;
      let fallback = lost;
      for (let ms = FIRST_POLL_MS; isAwaited(this.#state.stage); ms = nextPauseMs(ms, this.#state, document.hidden)) {
        const hurried = await this.#pauses.pause(ms);
        // The awaited payment may have been abandoned meanwhile.
        if (!isAwaited(this.#state.stage)) return;
        if (hurried) ms = FIRST_POLL_MS;
        const actions = this.#actions;
        const answer = await this.#load();
        if (actions !== this.#actions) continue;
        this.#showConnection(answer);
        if (answer?.kind !== 'ok') continue;
        const { body } = answer;
        if (body.status === 'pending') fallback = undefined;
        const isUnchanged = body.status === 'open' && !hasNewNotice(this.#state.view, body);
        // An early poll proves nothing: the request may still arrive.
        if (fallback && isUnchanged && (hurried || ++unchanged < POLLS_AFTER_LOSS)) continue;
        this.#show(body, fallback);
      }
    } finally {
      this.#polling = false;
    }
  }

  async #reload(fallback?: Fallback): Promise<void> {
    const actions = this.#actions;
    const answer = await this.#load();
    if (actions !== this.#actions) return;
    if (answer?.kind === 'ok') this.#show(answer.body, fallback);
    const { stage } = this.#state;
    if (isAwaited(stage)) await this.#poll();
    else if (stage.name === 'paying' || stage.name === 'leaving') await this.#poll(fallback);
  }

  /** Loads the session and the parts that its view needs; undefined if they cannot be loaded. */
  async #load(ask = () => this.#api.load()): Promise<Answer<CheckoutView> | undefined> {
    const answer = await ask();
    // For tests in browsers: from now on the form keeps the input.
    document.documentElement.dataset.looked = 'true';
    if (answer.kind === 'problem' && (answer.status === 401 || answer.status === 404)) this.#break(answer.code);
    if (
      answer.kind === 'ok' &&
      !((await this.#core.equip(answer.body)) && (await learnPlanTexts(this.#core, answer.body)))
    ) {
      this.#break('incomplete', 'incomplete');
      return undefined;
    }
    return answer;
  }

  /** Shows the present session; `abandoned` is the method that the shopper has just abandoned. */
  #show(view: CheckoutView, fallback?: Fallback, abandoned?: string): void {
    const { stage, view: before } = this.#state;
    // Answers may arrive out of order: a settled or newer session stays.
    const isPaid = stage.name === 'approved' && view.status !== 'approved';
    if (isPaid || stage.name === 'broken' || view.revision < before.revision) return;
    const wasAwaited = isAwaited(stage) || stage.name === 'leaving';
    const wasPending = stage.name === 'pending';
    const result = resultOf(view, wasAwaited && (!fallback || hasNewNotice(before, view)), wasPending);
    const patch =
      abandoned === undefined
        ? afterLoad(this.#state, view, fallback?.message)
        : afterAbandon(this.#state, view, abandoned);
    // The try has an outcome, so the next one is another payment.
    if (hasNewNotice(before, view) || view.status === 'pending') this.#key = newKey();
    if (result) this.#events.result(result);
    // The error is raised once during an awaited payment: a later poll brings the result.
    else if (fallback && (!wasAwaited || view.status === 'open'))
      this.#events.error(fallback.code, textOf(this.#core, fallback, view, patch.message));
    const typing = document.activeElement?.tagName === 'INPUT';
    this.#set(
      this.#prefilled
        ? patch
        : { ...patch, ...prefilled({ ...this.#state, ...patch }, typing, this.#core.platform.now()) },
    );
    this.#prefilled = true;
  }

  /** Shows that there is no connection, while the session cannot be loaded. */
  #showConnection(answer: Answer<unknown> | undefined): void {
    const { stage, message } = this.#state;
    const isShown = message?.key === 'no_connection';
    if (!isAwaited(stage) || isShown === (answer?.kind === 'lost')) return;
    this.#set({ message: isShown ? undefined : { key: 'no_connection' } });
  }

  /** Shows that the payment is still in progress if the same attempt takes long. */
  async #showLongWait(actions: number): Promise<void> {
    await this.#core.platform.wait(LONG_MS);
    if (actions === this.#actions && this.#state.stage.name === 'paying')
      this.#set({ message: { key: 'paying_long' } });
  }

  #setCode(security_code: string): void {
    this.#set({ values: { ...this.#state.values, security_code } });
  }

  #back(message: Message | undefined, code: string): void {
    this.#events.error(code, message ? this.#core.formatMessage(message) : this.#core.t('fields_invalid'));
    this.#set({ stage: { name: 'form' }, message });
  }

  #break(code: string, name: 'broken' | 'incomplete' = 'broken'): void {
    this.#set({ stage: { name }, values: {} });
    this.#events.error(code, this.#core.t(`${name}_title`));
  }

  #set(patch: Partial<State>): void {
    const { stage: before } = this.#state;
    const back = this.#actions && before.name !== 'form' && (patch.stage ?? before).name === 'form';
    this.#core.set(patch, back ? () => focusNext(this.#core) : undefined);
    void this.#watch.update();
  }
}
