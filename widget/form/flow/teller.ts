import type { FrameMessage, ResultDetail, Unmarked } from '../../../shared/checkout/frame.ts';

/** Tells the shop's page what comes of a payment, and nothing twice. */
export class Teller {
  readonly #post: (message: Unmarked<FrameMessage>) => void;
  #lastResult = '';

  constructor(post: (message: Unmarked<FrameMessage>) => void) {
    this.#post = post;
  }

  /** A new try begins: its result is worth telling even if it is the last one's again. */
  submit(): void {
    this.#lastResult = '';
    this.#post({ type: 'submit' });
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
