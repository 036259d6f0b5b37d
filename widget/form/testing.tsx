import { cleanup, configure, render, screen } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import type { FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import { formatMoney } from '../../shared/checkout/money/money.ts';
import type { Boot, CheckoutView } from '../../shared/checkout/view.ts';
import en from '../locales/en.json' with { type: 'json' };
import { freeTexts } from '../locales/free.ts';
import { Checkout } from './checkout.ts';
import { loadDetails } from './details/details.tsx';
import { createApi } from './flow/api.ts';
import { flow } from './flow/flow.tsx';
import { PaymentFlow } from './flow/payment-flow.ts';
import { views } from './flow/views/views.tsx';
import type { FlowModule, Loaders, Platform } from './model.ts';
import { partsWith } from './parts/parts.tsx';
import { App } from './view/app.tsx';
import { inputId } from './view/field.tsx';
import { open } from './view-testing.ts';

// Chunks come slowly on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

export { open };

export const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.document_number'] } as const;
export const approved = { status: 'approved', order_no: 'A-1', transaction_id: 'T-1', card: '411111******1111' };

export const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
export const problem = (status: number, code: string, errors?: object[]) => () =>
  json({ status, code, title: code, detail: '', errors }, status);
export const lost = () => Promise.reject(new TypeError('network'));

type Fake = {
  /** The session that every poll returns. */
  view: CheckoutView;
  /** The answers to the next payments. */
  answers: (() => Response | Promise<Response>)[];
  /** Every received payment. */
  paid: { body: Record<string, unknown>; headers: Headers }[];
  /** The answers to the next requests that change the session without a payment. */
  tellAnswers: (() => Response | Promise<Response>)[];
  /** Every received request of this kind: `returned`, `abandon` or `remove-card`. */
  told: { what: string; body: unknown; method: string | undefined; authorization: string | null }[];
  polls: number;
  /** Polls are answered after this promise. */
  held: Promise<void> | undefined;
  /** Polls are lost, and the device reports that it has no network. */
  offline: boolean;
  posted: Unmarked<FrameMessage>[];
  navigated: string[];
  /** A wait of this many milliseconds or more never ends. */
  patience: number;
  /** The duration of each wait. */
  waits: number[];
};

const untouched = (): Fake => ({
  view: open,
  answers: [],
  paid: [],
  tellAnswers: [],
  told: [],
  polls: 0,
  held: undefined,
  offline: false,
  posted: [],
  navigated: [],
  patience: 7000,
  waits: [],
});

/** The checkout server and the shop's page, as the test sets them. */
export const fake: Fake = untouched();

/** Resets the server and empties the page before each test. */
export function startOver(): void {
  cleanup();
  document.body.replaceChildren();
  Object.assign(fake, untouched());
}

const server: typeof fetch = async (url, init) => {
  if (String(url).endsWith('/session')) {
    fake.polls += 1;
    const seen = fake.view;
    await fake.held;
    return fake.offline ? lost() : json(seen);
  }
  const [, what] = /\/(returned|abandon|remove-card)$/.exec(String(url)) ?? [];
  if (what) {
    const authorization = new Headers(init?.headers).get('authorization');
    fake.told.push({ what, body: JSON.parse(String(init?.body)), method: init?.method, authorization });
    return (fake.tellAnswers.shift() ?? lost)();
  }
  fake.paid.push({ body: JSON.parse(String(init?.body)), headers: new Headers(init?.headers) });
  return (fake.answers.shift() ?? lost)();
};

/** The flow with the fake server. */
export const testFlow: FlowModule = {
  ...flow,
  startFlow: (core) =>
    new PaymentFlow(core, createApi(core.platform.secret, server), async () => ({ browser_lang: 'en' })),
};

const parts = partsWith(await loadDetails());

export const everything: Loaders = {
  parts: async () => parts,
  flow: async () => testFlow,
  views: async () => views,
};

export const bootOf = (view: CheckoutView): Boot => ({
  view,
  locale: 'en',
  lang: 'en',
  dir: 'ltr',
  amount: formatMoney('en', view.currency, view.amount),
  messages: { ...en.form, ...en.fields },
  free: freeTexts(en.form, Boolean(view.subscription)),
  allowed_origins: [],
});

export function testPlatform(platform: Partial<Platform> = {}): Platform {
  return {
    secret: 'cs_1.SECRET',
    loadFingerprint: async () => undefined,
    now: () => new Date(2028, 5, 15),
    wait: (ms) => {
      fake.waits.push(ms);
      return new Promise<void>((resolve) => ms < fake.patience && setTimeout(resolve, 1));
    },
    online: () => !fake.offline,
    post: (message) => void fake.posted.push(message),
    navigate: (url) => void fake.navigated.push(url),
    focus: (name) => document.getElementById(inputId(name))?.focus(),
    ...platform,
  };
}

/** A checkout of a session, with all parts loaded. */
export function make(shown: CheckoutView): Checkout {
  fake.view = shown;
  return new Checkout(bootOf(shown), testPlatform(), everything, { parts, flow: testFlow, views });
}

/** Shows a form and loads its session. */
export async function start(shown: Partial<CheckoutView> = {}): Promise<Checkout> {
  const checkout = make({ ...open, ...shown });
  render(<App checkout={checkout} />);
  await checkout.start();
  return checkout;
}

export const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
export const button = () => screen.getByRole('button', { name: /^(continue to|pay(ing| (?!with)))/i });
export const results = () =>
  fake.posted.flatMap((message) => (message.type === 'result' ? [message.detail.status] : []));
export const keys = () => fake.paid.map(({ headers }) => headers.get('idempotency-key'));

export async function fillCard(number = '4111111111111111'): Promise<void> {
  await userEvent.type(field(/card number/i), number);
  await userEvent.type(field(/expiry/i), '1230');
  await userEvent.type(field(/security code/i), number.startsWith('3') ? '7373' : '737');
  await userEvent.type(field(/name on card/i), 'Ada Byron');
}

export async function pay(): Promise<void> {
  await fillCard();
  await userEvent.click(button());
}

/** Pays again. The security code was cleared, so it is typed again. */
export async function retry(): Promise<void> {
  await userEvent.type(field(/security code/i), '737');
  await userEvent.click(button());
}
