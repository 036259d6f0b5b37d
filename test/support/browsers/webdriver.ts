import { z } from 'zod';

/** WebDriver's name for an element's id. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The maximum time that the driver may take for anything. */
const WAIT_MS = 60_000;

const elementSchema = z.object({ [ELEMENT]: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const failureSchema = z.object({ error: z.string(), message: z.string() });

/** Keys that type no character, by their WebDriver names. */
export const Key = {
  backspace: '\uE003',
  tab: '\uE004',
  enter: '\uE007',
  shift: '\uE008',
  control: '\uE009',
  end: '\uE010',
  left: '\uE012',
};

/**
 * One browser window controlled over WebDriver (https://www.w3.org/TR/webdriver2/). Every method throws the driver's
 * errors.
 */
export class WebDriver {
  readonly #address: string;

  private constructor(address: string) {
    this.#address = address;
  }

  /** Opens a browser with the driver at this address. */
  static async open(driver: string, capabilities: object): Promise<WebDriver> {
    const made = await ask('POST', `${driver}/session`, { capabilities: { alwaysMatch: capabilities } });
    return new WebDriver(`${driver}/session/${sessionSchema.parse(made).sessionId}`);
  }

  async close(): Promise<void> {
    await ask('DELETE', this.#address);
  }

  async goto(url: string): Promise<void> {
    await this.#post('/url', { url });
  }

  async back(): Promise<void> {
    await this.#post('/back');
  }

  async reload(): Promise<void> {
    await this.#post('/refresh');
  }

  async url(): Promise<string> {
    return z.string().parse(await ask('GET', `${this.#address}/url`));
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#post('/window/rect', { width, height });
  }

  /** Directs the following commands to the page's own document, or to a frame in the current one. */
  async enter(frame: string | undefined): Promise<void> {
    await this.#post('/frame', { id: frame === undefined ? null : { [ELEMENT]: frame } });
  }

  /**
   * Runs a function in the current document and returns its result as JSON. The function can use only its arguments.
   */
  async evaluate<Args extends unknown[]>(run: (...args: Args) => unknown, ...args: Args): Promise<unknown> {
    return this.#post('/execute/sync', { script: `return (${run}).apply(null, arguments)`, args });
  }

  /** The element that a function returns; undefined if it returns none. */
  async element<Args extends unknown[]>(
    run: (...args: Args) => Element | null | undefined,
    ...args: Args
  ): Promise<string | undefined> {
    const found = await this.evaluate(run, ...args);
    return found === null ? undefined : elementSchema.parse(found)[ELEMENT];
  }

  async click(element: string): Promise<void> {
    await this.#post(`/element/${element}/click`);
  }

  /** Types into the focused element. A list of keys is pressed together, and released from the last to the first. */
  async type(...texts: (string | readonly string[])[]): Promise<void> {
    const chords = texts.flatMap((text) => (typeof text === 'string' ? [...text].map((key) => [key]) : [text]));
    const actions = chords.flatMap((keys) => [
      ...keys.map((value) => ({ type: 'keyDown', value })),
      ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
    await this.#post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  #post(path: string, body: object = {}): Promise<unknown> {
    return ask('POST', `${this.#address}${path}`, body);
  }
}

async function ask(method: string, address: string, body?: object): Promise<unknown> {
  const init = { method, signal: AbortSignal.timeout(WAIT_MS), ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(address, init);
  const { value } = z.object({ value: z.unknown() }).parse(await response.json());
  if (response.ok) return value;
  const { error, message } = failureSchema.parse(value);
  throw new Error(`${error}: ${message} (${method} ${new URL(address).pathname.split('/').slice(3).join('/')})`);
}
