import type { FrameMessage, ResultDetail, Unmarked } from '../../../shared/checkout/frame.ts';

/** Sends the events of a payment to the host page, and no result twice. */
export class FrameEvents {
  readonly #post: (message: Unmarked<FrameMessage>) => void;
  #lastResult = '';

  constructor(post: (message: Unmarked<FrameMessage>) => void) {
    this.#post = post;
  }

  /** A new attempt begins: its result is sent even if it equals the last one. */
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
