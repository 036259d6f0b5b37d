import type { FrameLocator, Page } from 'playwright-core';
import type { Advice } from '../shared/checkout/status.ts';
import { chooseBankIn, chooseMethod, choosePlan, chooseSavedCard, consent, type Filling, fillIn } from './fields.ts';
import { type ResultEvent, ResultEvents } from './result-events.ts';
import {
  CheckoutNotReady,
  type Form,
  inWords,
  NothingCameOut,
  NotInTheForm,
  shownIn,
  type WrongField,
} from './shown.ts';

export type CheckoutOptions = {
  /** The selector of the checkout's element, for pages with several. Default: `turnpike-checkout`. */
  selector?: string;
  /** The frame with the shop's page, if the page is in a frame. */
  inside?: FrameLocator;
  /** The maximum time of each wait, in milliseconds. Default: 30000. */
  timeoutMs?: number;
};

/** The result of a payment. `told`: the text that the shopper reads. */
export type Outcome =
  | { status: 'approved'; order_no?: string; transaction_id?: string }
  /** `advice`: the reason in a form that does not depend on the language. */
  | { status: 'declined'; advice?: Advice; attempts_left?: number; told: string }
  /** The page goes to the issuer. */
  | { status: 'redirect' }
  /** The payment takes long, for example a voucher. `outcome()` waits for its result. */
  | { status: 'pending' }
  /** The outcome is not known yet, and the form queries it. `outcome()` waits for the result. */
  | { status: 'unknown' }
  /** The shopper returned from the issuer without paying, or a pending payment ended unpaid. */
  | { status: 'not_paid'; told: string }
  /** No attempt is left. */
  | { status: 'failed' }
  | { status: 'expired' }
  /**
   * Nothing was paid. `code`: `fields_invalid` if the form found errors, otherwise the code of the element's `error`. `fields`: the
   * fields that the form marks.
   */
  | { status: 'refused'; code: string; told: string; fields: WrongField[] };

/** The maximum time for reading a form, in milliseconds. A busy machine is slow. */
const READ_MS = 10_000;

/** The checkout on a page, for tests. */
export type Checkout = ReturnType<typeof checkoutOn>;

/**
 * Controls the checkout on a page, embedded or hosted, in every language. Create it before the page is opened, so that it receives
 * all events. Each method waits up to `timeoutMs`. The methods throw CheckoutNotReady, NotInTheForm or NothingCameOut. The messages
 * contain what the form shows, and never what was typed.
 */
export function checkoutOn(page: Page, options: CheckoutOptions = {}) {
  const { selector = 'turnpike-checkout', inside: shop = page, timeoutMs = 30_000 } = options;
  const events = ResultEvents.of(page);

  /** The form, when it is ready and has read its session. */
  const form = async (): Promise<Form> => {
    await events.open();
    const end = Date.now() + timeoutMs;
    const hosted = shop.locator('script#boot');
    const held = shop.locator(selector);
    const place = hosted.or(held).first();
    if (!(await comes(place.waitFor({ state: 'attached', timeout: timeoutMs })))) {
      throw new CheckoutNotReady(`There is no ${selector} on the page, nor is it the hosted page.`);
    }
    const found = (await hosted.count()) ? shop : shop.frameLocator(`${selector} iframe`);
    const alive = found.locator('html[data-looked]');
    if (!(await comes(alive.waitFor({ state: 'attached', timeout: Math.max(end - Date.now(), 1) })))) {
      throw new CheckoutNotReady(`The checkout did not start. ${inWords(await shownIn(found))}`);
    }
    return found;
  };

  const outcome = async (): Promise<Outcome> => {
    await events.open();
    const event = await events.next(timeoutMs);
    const place = (await shop.locator('script#boot').count()) ? shop : shop.frameLocator(`${selector} iframe`);
    if (!event) throw new NothingCameOut(`The payment had no outcome in time. ${inWords(await shownIn(place))}`);
    return outcomeOf(event, place, events);
  };

  return {
    /** Waits until the form is ready. It is visible earlier, but only a ready form keeps and sends what is typed. */
    async ready(): Promise<void> {
      await form();
    },

    /** Chooses a payment method: `card`, a `payment_method` of the session, or the text of its label. */
    async choose(method: string): Promise<void> {
      await chooseMethod(await form(), method);
    },

    /** Chooses a bank by its name, for methods with a list of banks. */
    async chooseBank(name: string): Promise<void> {
      await chooseBankIn(await form(), name);
    },

    /** Fills in the fields that the form has, each at once like a paste. Other values are ignored. */
    async fill(filling: Filling): Promise<void> {
      await fillIn(await form(), filling);
    },

    /** Chooses the number of installments. */
    async chooseInstallments(count: number): Promise<void> {
      await choosePlan(await form(), count);
    },

    /** Chooses a saved card by the last four digits of its number. Its security code is still needed. */
    async useSavedCard(last4: string): Promise<void> {
      await chooseSavedCard(await form(), last4);
    },

    /** Chooses to type a card instead of using a saved one. */
    async useAnotherCard(): Promise<void> {
      await chooseSavedCard(await form());
    },

    /** Ticks the consent to save the card. */
    async saveCard(): Promise<void> {
      await consent(await form(), true);
    },

    /** Presses the button once, and returns the result. The payment can continue on another page: `redirect`. */
    async pay(): Promise<Outcome> {
      const found = await form();
      const button = found.locator('button[type="submit"]');
      events.forget();
      await button.click({ timeout: timeoutMs });
      // The form checks its fields during the click, and its button is busy while it sends. After that, the page may already be at
      // the issuer.
      const shown = await Promise.race([shownIn(found, READ_MS), events.arrival()]);
      const sent =
        !shown?.fields.length || (await found.locator('button[type="submit"][aria-disabled="true"]').count());
      if (sent) return outcome();
      const event = await events.next(0);
      if (event) return outcomeOf(event, found, events);
      return { status: 'refused', code: 'fields_invalid', told: shown.told, fields: shown.fields };
    },

    /**
     * Abandons a payment that is pending or at the issuer's page, to choose another payment method. Returns `not_paid` when the form
     * is back, or `refused` with the code `cannot_abandon` if the checkout still waits.
     */
    async chooseAnotherWay(): Promise<Outcome> {
      const found = await form();
      // For a shopper who left the issuer's page, the form has another button before this one: to report the payment.
      const button = found.locator('section button[type="button"]').last();
      if (!(await comes(button.waitFor({ timeout: timeoutMs })))) {
        throw new NotInTheForm(`The checkout offers no other way to pay. ${inWords(await shownIn(found))}`);
      }
      events.forget();
      await button.click({ timeout: timeoutMs });
      return outcome();
    },

    /** Waits for the next result: after `pending` or `unknown`, or when a shopper returns to the page. */
    outcome,

    /** The texts that the shopper sees now. */
    async shown() {
      return shownIn(await form(), READ_MS);
    },
  };
}

async function outcomeOf(event: ResultEvent, form: Form, events: ResultEvents): Promise<Outcome> {
  if (event.type === 'error') {
    const { fields } = await shownIn(form, READ_MS);
    return { status: 'refused', code: event.detail.code, told: event.detail.message, fields };
  }
  const { status, order_no, transaction_id } = event.detail;
  switch (status) {
    case 'approved':
      return { status, ...(order_no && { order_no }), ...(transaction_id && { transaction_id }) };
    case 'declined':
      return { status, ...(await events.decline()), told: (await shownIn(form, READ_MS)).told };
    case 'not_paid':
      return { status, told: (await shownIn(form, READ_MS)).told };
    case 'redirect':
    case 'pending':
    case 'unknown':
    case 'failed':
    case 'expired':
      return { status };
    default:
      throw new NothingCameOut(`The checkout reported ${status}, which this kit does not know.`);
  }
}

async function comes(wait: Promise<unknown>): Promise<boolean> {
  return wait.then(
    () => true,
    () => false,
  );
}
