import type { Page, Response } from 'playwright-core';
import { z } from 'zod';
import { CHANNEL } from '../shared/checkout/frame.ts';
import { advices } from '../shared/checkout/status.ts';

const channel = z.literal(CHANNEL);
const result = z.object({ status: z.string(), order_no: z.string().optional(), transaction_id: z.string().optional() });
const told = z.discriminatedUnion('type', [
  z.object({ channel, type: z.literal('result'), detail: result }),
  z.object({ channel, type: z.literal('error'), detail: z.object({ code: z.string(), message: z.string() }) }),
]);

/** An event of the checkout that says what came of a payment. */
export type Told = z.infer<typeof told>;

const decline = z.object({ advice: z.enum(advices).optional(), attempts_left: z.int().optional() });
export type Decline = z.infer<typeof decline>;

/** The name under which pages reach the kit. */
const BINDING = 'turnpikeTestKit';

/**
 * Hears what the checkouts of one page tell, as an app's web view would: embedded or hosted, in any shadow root, and on
 * whatever document the page goes to next. The page itself notices nothing.
 */
export class Ears {
  static readonly #of = new WeakMap<Page, Ears>();
  readonly #page: Page;
  readonly #set: Promise<unknown>;
  #heard: Told[] = [];
  #ring: () => void = () => {};
  #answer: Response | undefined;

  private constructor(page: Page) {
    this.#page = page;
    page.on('response', (response) => {
      if (/\/checkout\/api\/(pay|session)$/.test(new URL(response.url()).pathname)) this.#answer = response;
    });
    const hear = (_source: unknown, text: unknown) => this.#hear(text);
    this.#set = Promise.all([page.exposeBinding(BINDING, hear), page.addInitScript(listen, BINDING)]);
    // Whoever waits for it hears of a page that is closed.
    this.#set.catch(() => {});
  }

  /** The ears of a page, which stay as long as it is open. */
  static of(page: Page): Ears {
    const ears = Ears.#of.get(page) ?? new Ears(page);
    Ears.#of.set(page, ears);
    return ears;
  }

  /** Hears the document that is in the page now. */
  async open(): Promise<void> {
    await this.#set;
    await Promise.all(this.#page.frames().map((frame) => frame.evaluate(listen, BINDING).catch(() => undefined)));
  }

  /** What was told and not asked for is forgotten. */
  forget(): void {
    this.#heard = [];
  }

  /** What was told next, waiting `ms` at most. */
  async next(ms: number): Promise<Told | undefined> {
    if (!this.#heard.length && ms > 0) await this.#rings(ms);
    return this.#heard.shift();
  }

  /** What the checkout was last answered about a decline. */
  async decline(): Promise<Decline> {
    const answer: unknown = await this.#answer?.json().catch(() => undefined);
    const parsed = decline.safeParse(answer);
    return parsed.success ? parsed.data : {};
  }

  #hear(text: unknown): void {
    if (typeof text !== 'string') return;
    const parsed = told.safeParse(JSON.parse(text));
    if (!parsed.success) return;
    this.#heard.push(parsed.data);
    this.#ring();
  }

  async #rings(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#ring = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

/** Runs in the page: stands in for the app that a web view would belong to, or beside one that is there. */
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
