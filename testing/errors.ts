/** Any failure of the kit. Its text says what the form shows, and never what was typed into it. */
export abstract class TestKitError extends Error {
  abstract readonly code: string;
}

/** The checkout did not come, or did not come to life. */
export class CheckoutNotReady extends TestKitError {
  override readonly name = 'CheckoutNotReady';
  readonly code = 'not_ready';
}

/** The form has no such method, card, plan or field. */
export class NotInTheForm extends TestKitError {
  override readonly name = 'NotInTheForm';
  readonly code = 'not_in_the_form';
}

/** The time was up before anything came of a payment. */
export class NothingCameOut extends TestKitError {
  override readonly name = 'NothingCameOut';
  readonly code = 'nothing_came_out';
}
