import { formatMoney } from '../../../shared/checkout/money.ts';
import type { Device, PayAnswer } from '../../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { fieldNames, problemOf } from '../fields.ts';
import type { Core, Flow, FlowModule } from '../model.ts';
import type { State, Told } from '../state.ts';
import { type Answer, type Api, createApi, newKey } from './api.ts';
import { onComingBack } from './comings-back.ts';
import { readDevice } from './device.ts';
import { dress } from './dress.ts';
import { afterLook, afterPay, isNews, isPending, resultOf } from './outcome.ts';
import { Outcome } from './outcome-view.tsx';
import { fieldOfPath, paymentOf } from './payment.ts';
import { prefilled } from './prefill.ts';
import { type Fallback, LOST, reactionTo, sentNothing } from './refusal.ts';
import { Teller } from './teller.ts';
import { ToldView } from './told-view.tsx';

const FIRST_LOOK_MS = 1000;
const SLOWEST_LOOK_MS = 10_000;
/** How often an unchanged session must be seen before a lost request counts as never arrived. */
const LOOKS_AFTER_LOSS = 2;
/** After how long a shopper who waits is told that we are still at it. */
const LONG_MS = 8000;

/** What becomes of one checkout: looks at its session, payments, and what they come to. */
export class PaymentFlow implements Flow {
  readonly #core: Core;
  readonly #api: Api;
  readonly #device: () => Promise<Device>;
  readonly #teller: Teller;
  #following = false;
  /** Ends the wait before the next look. */
  #hurry = () => {};
  #shopperBack = this.#awaitBack();
  #prefilled = false;
  /** Counts the tries to pay: a look at the session that began before the last one is out of date. */
  #tries = 0;
  /** Names the next try to pay. One whose request or answer was lost keeps it: come late, the two are the same to the relay. */
  #key = newKey();

  /** `device` tells what is known of the device; it answers soon and never fails. */
  constructor(core: Core, api: Api, device: () => Promise<Device>) {
    this.#core = core;
    this.#api = api;
    this.#device = device;
    this.#teller = new Teller((message) => core.world.post(message));
  }

  async start(): Promise<void> {
    if (!this.#core.world.secret) this.#break('no_secret');
    else if (this.#state.stage.name === 'incomplete') this.#break('incomplete', 'incomplete');
    else await this.#look();
  }

  async refresh(): Promise<void> {
    const settled = ['paying', 'approved', 'broken'].includes(this.#state.stage.name);
    if (settled) return;
    if (this.#following) this.#hurry();
    else await this.#look();
  }

  async pay(): Promise<void> {
    const { world, parts } = this.#core;
    const sent = this.#state;
    this.#tries += 1;
    this.#teller.submit();
    // Where the device believes that it is offline a look tells whether that is so: nothing is sent into the void.
    if (!world.online() && (await this.#api.load()).kind === 'lost') return this.#back({ key: 'offline' }, 'offline');
    const added = parts?.requestOf(this.#core) ?? {};
    const body = paymentOf(sent, added, await this.#device());
    // The code does not outlive its try, unless nothing of that try left for the gateway.
    this.#setCode('');
    void this.#reassure(this.#tries);
    const answer = await this.#api.pay(body, this.#key);
    if (answer.kind === 'problem' && sentNothing(answer)) this.#setCode(sent.values.security_code ?? '');
    await this.#settle(answer);
  }

  get #state(): State {
    return this.#core.state;
  }

  async #settle(answer: Answer<PayAnswer>): Promise<void> {
    if (answer.kind === 'lost') return this.#follow(LOST);
    if (answer.kind === 'problem') return this.#refused(answer);
    this.#key = newKey();
    const { body } = answer;
    this.#set(afterPay(this.#state, body));
    const { order_no, transaction_id } = this.#state.view;
    const order = order_no ? { order_no } : {};
    this.#teller.result({ status: body.status, ...order, ...(body.status === 'approved' && { transaction_id }) });
    if (this.#state.stage.name === 'failed') this.#teller.result({ status: 'failed', ...order });
    if (body.status === 'redirect') this.#core.world.navigate(body.redirect_url);
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
        const wrong = this.#wrongFields(reaction.paths);
        this.#back(wrong.length ? undefined : { key: 'not_accepted' }, problem.code);
        this.#core.refuse(wrong);
      }
    }
  }

  /** The fields that hold these paths of the request, and what our own rules find wrong with each, if they find anything. */
  #wrongFields(paths: readonly string[]): [name: string, Told][] {
    const core = this.#core;
    const placed = paths.map((path) => core.parts?.place(core, path) ?? path);
    const { state, extra } = core;
    const shown = fieldNames(state, extra);
    const named = new Set(placed.map((path) => fieldOfPath(path, shown)));
    return shown
      .filter((name) => named.has(name))
      .map((name) => [name, problemOf(name, state, { extra, now: core.world.now() }) ?? { key: 'field_invalid' }]);
  }

  /** Looks at the session until it is settled, ever more slowly. `lost` is told if no payment can be seen to have arrived. */
  async #follow(lost?: Fallback): Promise<void> {
    if (!isPending(this.#state.stage)) this.#set({ stage: { name: 'confirming' }, told: undefined });
    if (this.#following) return;
    this.#following = true;
    try {
      let unchanged = 0;
      for (let ms = FIRST_LOOK_MS; isPending(this.#state.stage); ms = Math.min(ms * 1.6, SLOWEST_LOOK_MS)) {
        const hurried = await this.#pause(ms);
        if (hurried) ms = FIRST_LOOK_MS;
        const answer = await this.#load();
        this.#tellConnection(answer);
        if (answer?.kind !== 'ok') continue;
        const { body } = answer;
        const untold = body.status === 'open' && !isNews(this.#state.view, body);
        // A look before its time proves nothing: the request may still be on its way.
        if (lost && untold && (hurried || ++unchanged < LOOKS_AFTER_LOSS)) continue;
        this.#show(body, lost);
      }
    } finally {
      this.#following = false;
    }
  }

  /** Waits so long, or until the shopper is back: true then. */
  async #pause(ms: number): Promise<boolean> {
    const hurried = await Promise.race([this.#core.world.wait(ms).then(() => false), this.#shopperBack]);
    if (hurried) this.#shopperBack = this.#awaitBack();
    return hurried;
  }

  #awaitBack(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#hurry = () => resolve(true);
    });
  }

  async #look(fallback?: Fallback): Promise<void> {
    const tries = this.#tries;
    const answer = await this.#load();
    if (tries !== this.#tries) return;
    if (answer?.kind === 'ok') this.#show(answer.body, fallback);
    const { stage } = this.#state;
    if (isPending(stage)) await this.#follow();
    else if (stage.name === 'paying' || stage.name === 'leaving') await this.#follow(fallback);
  }

  async #load(): Promise<Answer<CheckoutView> | undefined> {
    const answer = await this.#api.load();
    // For tests in browsers: from here on the form is alive, and keeps what is typed.
    document.documentElement.dataset.looked = 'true';
    if (answer.kind === 'problem' && (answer.status === 401 || answer.status === 404)) this.#break(answer.code);
    if (answer.kind === 'ok' && !(await this.#core.equip(answer.body))) {
      this.#break('incomplete', 'incomplete');
      return undefined;
    }
    return answer;
  }

  #show(view: CheckoutView, fallback?: Fallback): void {
    const { stage, view: before } = this.#state;
    // Answers may overtake each other: what is settled, or newer, stays.
    const isPaid = stage.name === 'approved' && view.status !== 'approved';
    if (isPaid || stage.name === 'broken' || view.revision < before.revision) return;
    const cameBack = isPending(stage) || stage.name === 'leaving';
    const result = resultOf(view, cameBack && (!fallback || isNews(before, view)));
    const patch = afterLook(this.#state, view, fallback?.told);
    // The try has come to something, so the next one is another.
    if (isNews(before, view)) this.#key = newKey();
    const typing = document.activeElement?.tagName === 'INPUT';
    this.#set(
      this.#prefilled
        ? patch
        : { ...patch, ...prefilled({ ...this.#state, ...patch }, typing, this.#core.world.now()) },
    );
    this.#prefilled = true;
    if (result) this.#teller.result(result);
    else if (fallback && this.#state.told === fallback.told) {
      this.#teller.error(fallback.code, this.#core.tell(fallback.told));
    }
  }

  /** While nothing can be heard of the session the shopper is told why, and for how long only. */
  #tellConnection(answer: Answer<unknown> | undefined): void {
    const told: Told | undefined = answer?.kind === 'lost' ? { key: 'no_connection' } : undefined;
    if (isPending(this.#state.stage) && told?.key !== this.#state.told?.key) this.#set({ told });
  }

  /** Tells a shopper who waits long for the same try that it goes on. */
  async #reassure(tries: number): Promise<void> {
    await this.#core.world.wait(LONG_MS);
    if (tries === this.#tries && this.#state.stage.name === 'paying') this.#set({ told: { key: 'paying_long' } });
  }

  #setCode(security_code: string): void {
    this.#set({ values: { ...this.#state.values, security_code } });
  }

  #back(told: Told | undefined, code: string): void {
    this.#set({ stage: { name: 'form' }, told });
    this.#teller.error(code, told ? this.#core.tell(told) : this.#core.say('fields_invalid'));
  }

  #break(code: string, name: 'broken' | 'incomplete' = 'broken'): void {
    this.#set({ stage: { name }, values: {} });
    this.#teller.error(code, this.#core.say(`${name}_title`));
  }

  /** Takes a shopper who is back in the form to what comes next: a wrong field, the code to type again, or what is told. */
  #lead(): void {
    const { errors, method, values } = this.#state;
    const code = method === 'card' && !values.security_code;
    this.#core.focus(Object.keys(errors)[0] ?? (code ? 'security_code' : 'told'));
  }

  #set(patch: Partial<State>): void {
    const { stage: before } = this.#state;
    const back = this.#tries && before.name !== 'form' && (patch.stage ?? before).name === 'form';
    this.#core.set(patch, back ? () => this.#lead() : undefined);
  }
}

/** The flow as one module to load. */
export const flow: FlowModule = {
  startFlow: (core) => {
    dress(document);
    const { secret, loadDevice } = core.world;
    const api = createApi(secret, (...request) => fetch(...request));
    const started = new PaymentFlow(core, api, readDevice(window, loadDevice));
    onComingBack(
      window,
      () => void started.refresh(),
      () => core.state.stage.name === 'leaving',
    );
    return started;
  },
  formatMoney,
  Outcome,
  ToldView,
};
