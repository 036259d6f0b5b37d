import type { ChangeDetail, FrameMessage, ResultDetail, Unmarked } from '../../shared/checkout/frame.ts';

/** Tells the shop's page what happens, and nothing twice. */
export class Teller {
  readonly #post: (message: Unmarked<FrameMessage>) => void;
  #lastChange = '';
  #lastResult = '';

  constructor(post: (message: Unmarked<FrameMessage>) => void) {
    this.#post = post;
  }

  /** A new try begins: its result is worth telling even if it is the last one's again. */
  submit(): void {
    this.#lastResult = '';
    this.#post({ type: 'submit' });
  }

  change(detail: ChangeDetail): void {
    const text = JSON.stringify(detail);
    if (text !== this.#lastChange) this.#post({ type: 'change', detail });
    this.#lastChange = text;
  }

  result(detail: ResultDetail): void {
    const text = JSON.stringify(detail);
    if (text !== this.#lastResult) this.#post({ type: 'result', detail });
    this.#lastResult = text;
  }

  error(code: string, message: string): void {
    this.#post({ type: 'error', detail: { code, message } });
  }
}
