import type { Page, Response } from 'playwright-core';
import { z } from 'zod';
import { CHANNEL } from '../shared/checkout/frame.ts';
import { advices } from '../shared/checkout/status.ts';

const channel = z.literal(CHANNEL);
const result = z.object({ status: z.string(), order_no: z.string().optional(), transaction_id: z.string().optional() });
const resultEvent = z.discriminatedUnion('type', [
  z.object({ channel, type: z.literal('result'), detail: result }),
  z.object({ channel, type: z.literal('error'), detail: z.object({ code: z.string(), message: z.string() }) }),
]);

/** An event of the checkout with the result of a payment. */
export type ResultEvent = z.infer<typeof resultEvent>;

const decline = z.object({ advice: z.enum(advices).optional(), attempts_left: z.int().optional() });
type Decline = z.infer<typeof decline>;

/** The name of the function by which pages send events to the test. */
const BINDING = 'turnpikeTestKit';

/**
 * Receives the events of the checkouts on one page, like the web view of an app: embedded or hosted, in shadow roots, and in each
 * document that the page loads later. The page works as it does without a test.
 */
export class ResultEvents {
  static readonly #of = new WeakMap<Page, ResultEvents>();
  readonly #page: Page;
  readonly #set: Promise<unknown>;
  #received: ResultEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #answer: Response | undefined;

  private constructor(page: Page) {
    this.#page = page;
    page.on('response', (response) => {
      if (/\/checkout\/api\/(pay|session)$/.test(new URL(response.url()).pathname)) this.#answer = response;
    });
    const receive = (_source: unknown, text: unknown) => this.#receive(text);
    this.#set = Promise.all([page.exposeBinding(BINDING, receive), page.addInitScript(listen, BINDING)]);
    // `open` reports the error of a closed page.
    this.#set.catch(() => {});
  }

  /** The events of a page. There is one object for each page. */
  static of(page: Page): ResultEvents {
    const events = ResultEvents.#of.get(page) ?? new ResultEvents(page);
    ResultEvents.#of.set(page, events);
    return events;
  }

  /** Listens in the current document of the page. */
  async open(): Promise<void> {
    await this.#set;
    await Promise.all(this.#page.frames().map((frame) => frame.evaluate(listen, BINDING).catch(() => undefined)));
  }

  /** Drops the events received so far. */
  forget(): void {
    this.#received = [];
  }

  /** The next event, after at most `ms`; undefined if there is none. */
  async next(ms: number): Promise<ResultEvent | undefined> {
    if (!this.#received.length && ms > 0) await this.#wakeUp(ms);
    return this.#received.shift();
  }

  /** Waits until there is a next event. `next` returns it. */
  async arrival(): Promise<undefined> {
    if (this.#received.length) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** The decline in the last answer to the checkout. */
  async decline(): Promise<Decline> {
    const answer: unknown = await this.#answer?.json().catch(() => undefined);
    const parsed = decline.safeParse(answer);
    return parsed.success ? parsed.data : {};
  }

  #receive(text: unknown): void {
    if (typeof text !== 'string') return;
    const parsed = resultEvent.safeParse(JSON.parse(text));
    if (!parsed.success) return;
    this.#received.push(parsed.data);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #wakeUp(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

/** Acts as the app of a web view, or adds to an app that exists. Runs in the page. */
function listen(binding: string): void {
  type App = { postMessage(message: string): void };
  const own: Window & {
    ReactNativeWebView?: App;
    webkit?: { messageHandlers?: { turnpike?: App } };
    TurnpikeAndroid?: App;
  } = window;
  own.TurnpikeAndroid ??= { postMessage: () => {} };
  const app = own.ReactNativeWebView ?? own.webkit?.messageHandlers?.turnpike ?? own.TurnpikeAndroid;
  if (Object.hasOwn(app, binding)) return;
  const inner = app.postMessage.bind(app);
  Object.defineProperty(app, binding, { value: true });
  app.postMessage = (message) => {
    const tell: unknown = Reflect.get(window, binding);
    if (typeof tell === 'function') void tell(message);
    inner(message);
  };
}
