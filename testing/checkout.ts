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
  /** The element that holds the checkout, where a page has several; `turnpike-checkout` is the usual one. */
  selector?: string;
  /** The frame that holds the shop's own page, if one does. */
  inside?: FrameLocator;
  /** How long anything may take, in milliseconds; 30000 are usual. */
  timeoutMs?: number;
};

/** What came of a payment, as the shop's page and the shopper learn it. */
export type Outcome =
  | { status: 'approved'; order_no?: string; transaction_id?: string }
  /** `told` is what the shopper reads; `advice` says the same in every language. */
  | { status: 'declined'; advice?: Advice; attempts_left?: number; told: string }
  /** The page is on its way to the issuer's. */
  | { status: 'redirect' }
  /** A payment is under way that takes long, such as a voucher: `outcome()` waits for what it comes to. */
  | { status: 'pending' }
  /** Not known yet: the form is confirming it, and `outcome()` waits for what it comes to. */
  | { status: 'unknown' }
  /** The shopper is back from the issuer without having paid, or what was pending is over unpaid. */
  | { status: 'not_paid'; told: string }
  /** No try is left. */
  | { status: 'failed' }
  | { status: 'expired' }
  /**
   * Nothing was paid: `fields_invalid` where the form itself finds something to mend, else the code of the element's `error`.
   * `fields` are those that it marks.
   */
  | { status: 'refused'; code: string; told: string; fields: WrongField[] };

/** How long a form that is there may take to tell what it shows, on a machine that is busy with other things. */
const READ_MS = 10_000;

/** The checkout on a page, as a test drives it. */
export type Checkout = ReturnType<typeof checkoutOn>;

/**
 * Drives the checkout on a page, whether it is embedded or the hosted page, in every language. Make it before the page is opened,
 * so that it receives all events. What it does waits for what it needs, for `timeoutMs` at most. Its methods throw
 * CheckoutNotReady, NotInTheForm or NothingCameOut, whose messages say what the form shows and never what was typed.
 */
export function checkoutOn(page: Page, options: CheckoutOptions = {}) {
  const { selector = 'turnpike-checkout', inside: shop = page, timeoutMs = 30_000 } = options;
  const events = ResultEvents.of(page);

  /** Where the form stands, once it is alive and has looked at its session. */
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
      throw new CheckoutNotReady(`The checkout did not come to life. ${inWords(await shownIn(found))}`);
    }
    return found;
  };

  const outcome = async (): Promise<Outcome> => {
    await events.open();
    const event = await events.next(timeoutMs);
    const place = (await shop.locator('script#boot').count()) ? shop : shop.frameLocator(`${selector} iframe`);
    if (!event) throw new NothingCameOut(`Nothing came of the payment in time. ${inWords(await shownIn(place))}`);
    return outcomeOf(event, place, events);
  };

  return {
    /** Waits until the form is alive: it can be seen before, but keeps and sends what is typed from then on for sure. */
    async ready(): Promise<void> {
      await form();
    },

    /** Chooses a way to pay: `card`, a `payment_method` of the session, or what its label says. */
    async choose(method: string): Promise<void> {
      await chooseMethod(await form(), method);
    },

    /** Chooses the bank of a method that asks for one, by its name. */
    async chooseBank(name: string): Promise<void> {
      await chooseBankIn(await form(), name);
    },

    /** Fills in what the form asks of this, each field at once as a paste does; what it does not ask is left out. */
    async fill(filling: Filling): Promise<void> {
      await fillIn(await form(), filling);
    },

    /** Chooses to pay in so many installments. */
    async chooseInstallments(count: number): Promise<void> {
      await choosePlan(await form(), count);
    },

    /** Pays with a saved card, by the last four digits of its number; it still needs its security code. */
    async useSavedCard(last4: string): Promise<void> {
      await chooseSavedCard(await form(), last4);
    },

    /** Pays with a card that is typed, where saved ones are offered. */
    async useAnotherCard(): Promise<void> {
      await chooseSavedCard(await form());
    },

    /** Ticks the consent to save the card. */
    async saveCard(): Promise<void> {
      await consent(await form(), true);
    },

    /** Presses the button, once, and answers with what came of it. Paying may end on another page: `redirect`. */
    async pay(): Promise<Outcome> {
      const found = await form();
      const button = found.locator('button[type="submit"]');
      events.forget();
      await button.click({ timeout: timeoutMs });
      // The form has looked over its fields before the click was over; what it sends makes the button busy.
      // Where it sent something, the page may be at the issuer's already.
      const shown = await Promise.race([shownIn(found, READ_MS), events.arrival()]);
      const sent =
        !shown?.fields.length || (await found.locator('button[type="submit"][aria-disabled="true"]').count());
      if (sent) return outcome();
      const event = await events.next(0);
      if (event) return outcomeOf(event, found, events);
      return { status: 'refused', code: 'fields_invalid', told: shown.told, fields: shown.fields };
    },

    /**
     * Gives up what is pending or left at the issuer's page, to choose another way to pay: `not_paid` once the form is there
     * again, `refused` with code `cannot_abandon` where the checkout goes on waiting.
     */
    async chooseAnotherWay(): Promise<Outcome> {
      const found = await form();
      // A shopper who left the issuer's page may also say that they have paid, before it.
      const button = found.locator('section button[type="button"]').last();
      if (!(await comes(button.waitFor({ timeout: timeoutMs })))) {
        throw new NotInTheForm(`The checkout offers no other way to pay. ${inWords(await shownIn(found))}`);
      }
      events.forget();
      await button.click({ timeout: timeoutMs });
      return outcome();
    },

    /** Waits for what the checkout tells next by itself: after `pending` or `unknown`, or when a shopper comes back to it. */
    outcome,

    /** What a shopper reads of it just now. */
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
      throw new NothingCameOut(`The checkout told of ${status}, which this kit does not know.`);
  }
}

async function comes(wait: Promise<unknown>): Promise<boolean> {
  return wait.then(
    () => true,
    () => false,
  );
}
