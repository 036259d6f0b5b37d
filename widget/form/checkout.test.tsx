// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { hydrate } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { CheckoutView } from '../../shared/checkout/view.ts';
import { en } from '../locales/en.ts';
import { createApi } from './api.ts';
import { brands } from './card/brands.ts';
import { Checkout } from './checkout.ts';
import { parts } from './parts/parts.ts';
import { renderCheckout } from './render.tsx';
import { App } from './view/app.tsx';
import { inputId } from './view/field.tsx';

const open: CheckoutView = {
  session_id: 'cs_1',
  order_no: 'A-1',
  status: 'open',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  merchant_name: 'Demo Shop',
  methods: [{ type: 'card' }],
  installment_options: [],
  collect: [],
  attempts_left: 5,
  returns: true,
  prefill: {},
  saved_cards: [],
};
const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.document_number'] } as const;
const approved = { status: 'approved', order_no: 'A-1', transaction_id: 'T-1', card: '411111******1111' };

/** A relay that answers as it is told: `view` to every look, the next of `answers` to every payment. */
let view: CheckoutView;
let answers: (() => Response | Promise<Response>)[];
let paid: { body: Record<string, unknown>; headers: Headers }[];
let posted: Unmarked<FrameMessage>[];
let navigated: string[];
let looks: number;
let held: Promise<void> | undefined;
let checkout: Checkout;

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const problem = (status: number, code: string, errors?: object[]) => () =>
  json({ status, code, title: code, detail: '', errors }, status);
const lost = () => Promise.reject(new TypeError('network'));

const relay: typeof fetch = async (url, init) => {
  if (String(url).endsWith('/session')) {
    looks += 1;
    const seen = json(view);
    await held;
    return seen;
  }
  paid.push({ body: JSON.parse(String(init?.body)), headers: new Headers(init?.headers) });
  return (answers.shift() ?? lost)();
};

function make(shown: CheckoutView): Checkout {
  view = shown;
  const world = {
    api: createApi('cs_1.SECRET', relay),
    device: async () => ({ browser_lang: 'en' }),
    loadParts: async () => parts,
    loadBrands: async () => brands,
    now: () => new Date(2028, 5, 15),
    wait: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
    post: (message: Unmarked<FrameMessage>) => void posted.push(message),
    navigate: (url: string) => void navigated.push(url),
    focus: (name: string) => document.getElementById(inputId(name))?.focus(),
  };
  const boot = { view: shown, locale: 'en', messages: en, allowed_origins: [] };
  checkout = new Checkout(boot, world, parts);
  return checkout;
}

async function start(shown: Partial<CheckoutView> = {}): Promise<void> {
  render(<App checkout={make({ ...open, ...shown })} hosted={true} />);
  await checkout.start();
}

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const button = () => screen.getByRole('button');
const results = () => posted.flatMap((message) => (message.type === 'result' ? [message.detail.status] : []));

async function fillCard(number = '4111111111111111'): Promise<void> {
  await userEvent.type(field(/card number/i), number);
  await userEvent.type(field(/expiry/i), '1230');
  await userEvent.type(field(/security code/i), number.startsWith('3') ? '7373' : '737');
  await userEvent.type(field(/name on card/i), 'Ada Byron');
}
async function pay(): Promise<void> {
  await fillCard();
  await userEvent.click(button());
}
/** Pays again as a shopper must: the security code is gone. */
async function retry(): Promise<void> {
  await userEvent.type(field(/security code/i), '737');
  await userEvent.click(button());
}
const keys = () => paid.map(({ headers }) => headers.get('idempotency-key'));

beforeEach(() => {
  answers = [];
  paid = [];
  posted = [];
  navigated = [];
  looks = 0;
  held = undefined;
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

describe('typing a card', () => {
  it('groups the number, names the brand and its code, and keeps the caret in the middle', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '378282246310005');
    expect(number.value).toBe('3782 822463 10005');
    await waitFor(() => expect(screen.getByText('CID')).toBeTruthy());
    number.setSelectionRange(2, 2);
    await userEvent.keyboard('9');
    expect(number.value.startsWith('379')).toBe(true);
    expect(number.selectionStart).toBe(3);
  });

  it('says nothing wrong while typing, but when the field is left, and takes it back once mended', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '4111');
    expect(screen.queryByText(en.number_incomplete)).toBeNull();
    await userEvent.tab();
    await waitFor(() => expect(number.getAttribute('aria-invalid')).toBe('true'));
    const error = document.getElementById('error-card');
    expect(error?.textContent).toBe(en.number_incomplete);
    expect(number.getAttribute('aria-describedby')).toContain('error-card');
    expect(error?.getAttribute('aria-live')).toBe('polite');
    await userEvent.type(number, '111111111111');
    await waitFor(() => expect(error?.textContent).toBe(''));
  });

  it('words an error anew when it becomes another, and takes it back once the field is emptied', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '4111111111111112');
    await userEvent.tab();
    const error = document.getElementById('error-card');
    await waitFor(() => expect(error?.textContent).toBe(en.number_invalid));
    await userEvent.type(number, '{Backspace}');
    await waitFor(() => expect(error?.textContent).toBe(en.number_incomplete));
    await userEvent.clear(number);
    await waitFor(() => expect(error?.textContent).toBe(''));
    await userEvent.tab();
    expect(error?.textContent).toBe('');
  });

  it('takes a pasted security code with spaces around it', async () => {
    await start();
    await userEvent.type(field(/card number/i), '4111111111111111');
    await userEvent.click(field(/security code/i));
    await userEvent.paste(' 737');
    expect(field(/security code/i).value).toBe('737');
  });

  it('refuses a card number as a name, kindly', async () => {
    await start({ methods: [{ type: 'card' }], collect: ['delivery_address'] });
    await fillCard();
    await userEvent.clear(field(/name on card/i));
    await userEvent.type(field(/name on card/i), '4111 1111 1111 1111');
    await userEvent.type(field(/first name/i), '411111111111');
    await userEvent.type(field(/last name/i), 'Byron 3rd');
    await userEvent.click(button());
    expect(document.getElementById('error-name')?.textContent).toBe(en.name_invalid);
    expect(document.getElementById('error-delivery_firstname')?.textContent).toBe(en.name_invalid);
    expect(document.getElementById('error-delivery_lastname')?.textContent).toBe('');
    expect(paid).toEqual([]);
  });

  it('tells the page the brand and whether the form is complete, and nothing else of the card', async () => {
    await start();
    await fillCard();
    const changes = posted.filter((message) => message.type === 'change');
    expect(changes.at(-1)?.detail).toEqual({ complete: true, brand: 'visa', payment_method: 'card' });
    expect(JSON.stringify(posted)).not.toMatch(/4111|737|Ada/);
  });
});

describe('before the script is alive', () => {
  it('keeps what was typed, formatted, and does not overwrite it with the shop’s own values', async () => {
    const page = renderCheckout({ view: open, locales: ['en'], allowed_origins: [] });
    document.body.innerHTML = page.body;
    const root = document.getElementById('checkout');
    const number = document.querySelector<HTMLInputElement>('#field-card');
    const name = document.querySelector<HTMLInputElement>('#field-name');
    if (!root || !number || !name) throw new Error('not rendered');
    number.value = '4111111111111111';
    name.value = 'Ada Byron';
    hydrate(
      <App checkout={make({ ...open, prefill: { first_name: 'Other', last_name: 'Person' } })} hosted={true} />,
      root,
    );
    expect(document.querySelector('#field-card')).toBe(number);
    expect(number.value).toBe('4111 1111 1111 1111');
    await checkout.start();
    expect(name.value).toBe('Ada Byron');
    expect(checkout.state.values.card).toBe('4111 1111 1111 1111');
  });

  it('adopts the method that was chosen', async () => {
    const shown = { ...open, methods: [{ type: 'card' as const }, { ...pix, fields: [...pix.fields] }] };
    document.body.innerHTML = renderCheckout({ view: shown, locales: ['en'], allowed_origins: [] }).body;
    const root = document.getElementById('checkout');
    const radio = document.querySelector<HTMLInputElement>('input[value="apm PIX"]');
    if (!root || !radio) throw new Error('not rendered');
    radio.checked = true;
    hydrate(<App checkout={make(shown)} hosted={true} />, root);
    await waitFor(() => expect(screen.getByLabelText('Document number')).toBeTruthy());
    expect(radio.checked).toBe(true);
  });
});

describe('submitting', () => {
  it('shows every problem at once, focuses the first field and sends nothing', async () => {
    await start();
    await userEvent.click(button());
    expect(screen.getByText(en.number_missing)).toBeTruthy();
    expect(screen.getByText(en.name_missing)).toBeTruthy();
    expect(document.activeElement).toBe(field(/card number/i));
    expect(paid).toEqual([]);
  });

  it('refuses a card whose month is over, by the clock that it is given', async () => {
    await start();
    await userEvent.type(field(/expiry/i), '0528');
    await userEvent.click(button());
    expect(screen.getByText(en.expiry_past)).toBeTruthy();
  });

  it('sends the card as the relay wants it, the secret in the header', async () => {
    await start();
    answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(paid.length).toBe(1));
    expect(paid[0]?.body).toEqual({
      card: '4111111111111111',
      expiration_month: '12',
      expiration_year: '2030',
      security_code: '737',
      first_name: 'Ada',
      last_name: 'Byron',
      revision: 1,
      device: { browser_lang: 'en' },
    });
    expect(paid[0]?.headers.get('authorization')).toBe('Bearer cs_1.SECRET');
  });

  it('keeps the focus and what is sent while it pays, forgets the code, and says so', async () => {
    await start();
    answers = [() => new Promise(() => {})];
    await fillCard();
    const name = field(/name on card/i);
    await userEvent.type(name, '{Enter}');
    await waitFor(() => expect(paid.length).toBe(1));
    expect(document.activeElement).toBe(name);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(en.paying));
    expect(field(/security code/i).value).toBe('');
    expect(Object.values(checkout.state.values)).not.toContain('737');
    await userEvent.type(name, ' Lovelace');
    fireEvent.input(name, { target: { value: 'Grace Hopper' } });
    await waitFor(() => expect(name.value).toBe('Ada Byron'));
    expect(button().getAttribute('aria-disabled')).toBe('true');
  });

  it('pays once, however often the button is pressed', async () => {
    await start();
    let answer = (_: Response) => {};
    answers = [
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    ];
    await fillCard();
    const pressed = button();
    fireEvent.click(pressed);
    fireEvent.click(pressed);
    await checkout.submit();
    await waitFor(() => expect(paid.length).toBe(1));
    expect(pressed.getAttribute('aria-disabled')).toBe('true');
    answer(json(approved));
    await screen.findByText(en.approved_title);
    await checkout.submit();
    expect(paid.length).toBe(1);
  });
});

describe('outcomes', () => {
  it('approved shows the masked card and the order, and never a live form again', async () => {
    await start();
    answers = [() => json(approved)];
    await pay();
    await screen.findByText(en.approved_title);
    expect(document.body.textContent).toContain('A-1');
    expect(document.body.textContent).toContain('411111 •••• 1111');
    expect(screen.getByRole('link').getAttribute('href')).toBe('/return/cs_1');
    expect(results()).toEqual(['approved']);
    await checkout.refresh();
    expect(screen.queryByRole('button')).toBeNull();
    expect(checkout.state.values).toEqual({});
  });

  it('declined says what to do, keeps all but the security code, and lets pay again', async () => {
    await start();
    answers = [
      () =>
        json({
          status: 'declined',
          advice: 'check_details',
          attempts_left: 1,
          result: { code: '5', message: 'GATEWAY TEXT' },
        }),
      () => json(approved),
    ];
    await pay();
    await screen.findByText(/check your card details.*once more/);
    expect(document.body.textContent).not.toContain('GATEWAY TEXT');
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
    expect(field(/security code/i).value).toBe('');
    expect(screen.getByRole('status').textContent).toContain('declined');
    expect(document.activeElement).toBe(field(/security code/i));
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await screen.findByText(en.approved_title);
    expect(results()).toEqual(['declined', 'approved']);
  });

  it('the last decline ends the checkout', async () => {
    await start();
    answers = [
      () => json({ status: 'declined', advice: 'contact_bank', attempts_left: 0, result: { code: '5', message: '' } }),
    ];
    await pay();
    await screen.findByText(en.failed_title);
    expect(results()).toEqual(['declined', 'failed']);
  });

  it('redirect leaves for the relay', async () => {
    await start();
    answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/checkout/cs_1/issuer?ticket=t' })];
    await pay();
    await screen.findByText(en.leaving_title);
    expect(navigated).toEqual(['https://pay.example/checkout/cs_1/issuer?ticket=t']);
    expect(screen.getByRole('link').getAttribute('href')).toBe(navigated[0]);
  });

  it('unknown is confirmed by looking, and what it becomes is told', async () => {
    await start();
    answers = [
      () => {
        view = { ...view, status: 'unknown' };
        return json({ status: 'unknown' });
      },
    ];
    await pay();
    await screen.findByText(en.confirming_title);
    view = { ...view, status: 'approved', transaction_id: 'T-1', card: '411111******1111' };
    await screen.findByText(en.approved_title);
    expect(results()).toEqual(['unknown', 'approved']);
    expect(paid.length).toBe(1);
  });
});

describe('a checkout that cannot be paid any more', () => {
  it.each(['failed', 'expired'] as const)('keeps no card when it has %s', async (status) => {
    await start();
    await fillCard();
    view = { ...open, status };
    await checkout.refresh();
    expect(checkout.state.values).toEqual({});
  });

  it('keeps no card after its last attempt was declined', async () => {
    await start();
    answers = [
      () => json({ status: 'declined', result: { code: '1', message: '' }, advice: 'contact_bank', attempts_left: 0 }),
    ];
    await pay();
    await screen.findByText(en.failed_title);
    expect(checkout.state.values).toEqual({});
  });
});

describe('a lost answer', () => {
  it.each([
    ['the network fails', lost],
    ['the answer is no JSON', () => new Response('<html>', { status: 200 })],
    ['the relay fails after it may have sent', problem(502, 'gateway_answer_unusable')],
  ])('when %s, the session tells the truth and nothing is sent twice', async (_, answer) => {
    await start();
    answers = [
      () => {
        view = { ...view, status: 'processing' };
        return answer();
      },
    ];
    await pay();
    await screen.findByText(en.confirming_title);
    view = { ...view, status: 'approved' };
    await screen.findByText(en.approved_title);
    expect(paid.length).toBe(1);
  });

  it('says no more than that no payment came once the session stays open, and tells the page', async () => {
    await start();
    answers = [lost];
    await pay();
    await screen.findByText(en.not_received);
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
    expect(field(/security code/i).value).toBe('');
    expect(posted).toContainEqual({ type: 'error', detail: { code: 'request_lost', message: en.not_received } });
    expect(paid.length).toBe(1);
  });

  it('is tried again under the same key, so that both requests together make one try', async () => {
    await start();
    answers = [lost, problem(500, 'internal'), () => json(approved)];
    await pay();
    await screen.findByText(en.not_received);
    await retry();
    await screen.findByText(en.confirming_title);
    await screen.findByText(en.not_received);
    await retry();
    await screen.findByText(en.approved_title);
    const [key, ...others] = keys();
    expect(key).toMatch(/^[\d,]{7,}$/);
    expect(others).toEqual([key, key]);
  });

  it('looks at the session when the relay knows the try that was sent again, and takes a new key then', async () => {
    await start();
    answers = [lost, problem(409, 'attempt_in_flight'), () => json(approved)];
    await pay();
    await screen.findByText(en.not_received);
    await retry();
    await waitFor(() => expect(keys()).toHaveLength(2));
    await screen.findByText(en.not_received);
    await retry();
    await screen.findByText(en.approved_title);
    expect(new Set(keys()).size).toBe(2);
    expect(keys()[0]).toBe(keys()[1]);
  });

  it('is followed by another try once the session tells what came of it', async () => {
    await start();
    answers = [
      () => {
        view = { ...view, notice: 'declined', advice: 'contact_bank', attempts_left: 4 };
        return lost();
      },
      () => json(approved),
    ];
    await pay();
    await screen.findByText(/contact your bank/);
    await retry();
    await screen.findByText(en.approved_title);
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('looks that come late', () => {
  it('do not bring the form back to life while a payment is under way', async () => {
    let arrive = () => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    render(<App checkout={make(open)} hosted={true} />);
    held = slow;
    const started = checkout.start();
    answers = [() => new Promise(() => {})];
    await pay();
    await waitFor(() => expect(paid.length).toBe(1));
    arrive();
    await started;
    expect(checkout.state.stage.name).toBe('paying');
    await checkout.submit();
    expect(paid.length).toBe(1);
  });

  it('tell nothing of an older decline when a later try never arrived', async () => {
    await start();
    answers = [
      () => {
        view = { ...view, notice: 'declined', advice: 'contact_bank', attempts_left: 4 };
        return json({
          status: 'declined',
          advice: 'contact_bank',
          attempts_left: 4,
          result: { code: '5', message: '' },
        });
      },
      lost,
    ];
    await pay();
    await screen.findByText(/contact your bank/);
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await screen.findByText(en.not_received);
    expect(results()).toEqual(['declined']);
    expect(new Set(keys()).size).toBe(2);
  });

  it('tell of a decline whose answer was lost', async () => {
    await start();
    answers = [
      () => {
        view = { ...view, notice: 'declined', advice: 'try_later', attempts_left: 4 };
        return lost();
      },
    ];
    await pay();
    await screen.findByText(/little while.*4 more times/);
    expect(field(/security code/i).value).toBe('');
    expect(document.activeElement).toBe(field(/security code/i));
    expect(results()).toEqual(['declined']);
  });
});

describe('refusals', () => {
  it('gateway_unreachable: not charged, try again', async () => {
    await start();
    answers = [problem(503, 'gateway_unreachable')];
    await pay();
    await screen.findByText(en.not_sent);
    expect(posted).toContainEqual({ type: 'error', detail: { code: 'gateway_unreachable', message: en.not_sent } });
    expect(looks).toBe(1);
  });

  it('session_changed: shows the new amount and says so', async () => {
    await start();
    view = { ...open, amount: '150.00', revision: 2 };
    answers = [problem(409, 'session_changed'), () => json(approved)];
    await pay();
    await screen.findByText(/amount is now R\$150\.00/);
    expect(button().textContent).toBe('Pay R$150.00');
    await retry();
    await screen.findByText(en.approved_title);
    expect(paid[1]?.body.revision).toBe(2);
  });

  it.each([
    ['order_already_paid', en.order_already_paid],
    ['order_in_progress', en.order_in_progress],
    ['attempt_in_flight', en.not_received],
  ])('%s with an open session is said', async (code, text) => {
    await start();
    answers = [problem(409, code)];
    await pay();
    await screen.findByText(text);
  });

  it('session_final shows what the session has become', async () => {
    await start();
    answers = [
      () => {
        view = { ...view, status: 'expired' };
        return problem(409, 'session_final')();
      },
    ];
    await pay();
    await screen.findByText(en.expired_title);
  });

  it('puts errors at their fields', async () => {
    await start();
    answers = [problem(400, 'invalid_request', [{ path: 'expiration_year', message: 'relay text' }])];
    await pay();
    await waitFor(() => expect(document.getElementById('error-expiry')?.textContent).toBe(en.field_invalid));
    expect(document.activeElement).toBe(field(/expiry/i));
    expect(document.body.textContent).not.toContain('relay text');
  });

  it('says generally what no field shows', async () => {
    await start();
    answers = [problem(400, 'invalid_request', [{ path: 'device', message: '' }])];
    await pay();
    await screen.findByText(en.not_accepted);
  });

  it('a wrong secret is a broken link', async () => {
    await start();
    answers = [problem(401, 'unauthorized')];
    await pay();
    await screen.findByText(en.broken_title);
  });
});

describe('a session that is looked at', () => {
  it('that is redirected is checked, and then told as not paid', async () => {
    render(<App checkout={make({ ...open, status: 'redirected' })} hosted={true} />);
    expect(screen.getByText(en.checking_title)).toBeTruthy();
    const started = checkout.start();
    view = { ...open, notice: 'not_paid' };
    await started;
    await screen.findByText(en.not_paid);
    expect(results()).toEqual(['not_paid']);
  });

  it('that changed shows its amount in place and keeps what was typed', async () => {
    await start();
    await fillCard();
    view = { ...open, amount: '99.00', revision: 2 };
    await checkout.refresh();
    await waitFor(() => expect(button().textContent).toBe('Pay R$99.00'));
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
  });

  it('is shown in another language without losing what was typed', async () => {
    await start();
    await fillCard();
    const { boot } = renderCheckout({ view: open, locales: ['pt-BR'], allowed_origins: [] });
    checkout.speak(boot);
    await waitFor(() => expect(field(/número do cartão/i).value).toBe('4111 1111 1111 1111'));
  });
});

describe('beyond the card', () => {
  it('pays with a saved card and its security code', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    await start({ saved_cards: [saved] });
    await screen.findByLabelText(/Visa ending in 4242/);
    expect(screen.queryByLabelText(/card number/i)).toBeNull();
    answers = [() => json(approved)];
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await waitFor(() => expect(paid[0]?.body).toMatchObject({ token_id: 'tok', security_code: '737' }));
    expect(paid[0]?.body).not.toHaveProperty('card');
  });

  it('keeps the typed card while another method is looked at', async () => {
    await start({ methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }] });
    await fillCard();
    await userEvent.click(screen.getByLabelText('Pix'));
    expect(screen.queryByLabelText(/card number/i)).toBeNull();
    await userEvent.click(screen.getByLabelText('Card'));
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
  });

  it('shows a subscription’s terms for cards, saved ones too, and for no method that begins no contract', async () => {
    const saved = { token_id: 'tok', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    const subscription = { contract_name: 'Tea club', interval: 'month' };
    await start({
      methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }],
      saved_cards: [saved],
      subscription,
    });
    const terms = () => screen.queryByRole('heading', { name: 'Subscription: Tea club' });
    expect(terms()).not.toBeNull();
    await userEvent.click(await screen.findByLabelText(/Visa ending in 4242/));
    expect(terms()).not.toBeNull();
    await userEvent.click(screen.getByLabelText('Pix'));
    expect(terms()).toBeNull();
    await userEvent.click(screen.getByLabelText(en.card));
    expect(terms()).not.toBeNull();
  });

  it('sends a method’s fields nested, and no card', async () => {
    await start({ methods: [{ type: 'card' }, { ...pix, fields: [...pix.fields] }] });
    await fillCard();
    await userEvent.click(screen.getByLabelText('Pix'));
    answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/x' })];
    await userEvent.click(button());
    expect(screen.getByText(en.field_missing)).toBeTruthy();
    await userEvent.type(field(/document number/i), '12.ABC.345/01DE-35');
    await userEvent.click(button());
    await waitFor(() => expect(paid.length).toBe(1));
    expect(paid[0]?.body).toEqual({
      payment_method: 'PIX',
      person: { document_number: '12.ABC.345/01DE-35' },
      revision: 1,
      device: { browser_lang: 'en' },
    });
  });

  it('prefills and sends what the shop collects, and the installments', async () => {
    await start({
      collect: ['email', 'birth_date'],
      prefill: { shopper_email: 'ada@example.com', birth_date: '10-12-1985' },
      installment_options: [{ installments: '1' }, { installments: '3', installments_id: 'i3', each: '43.30' }],
    });
    expect(field(/email/i).value).toBe('ada@example.com');
    await userEvent.selectOptions(screen.getByLabelText('Installments'), '3× R$43.30');
    answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(paid.length).toBe(1));
    expect(paid[0]?.body).toMatchObject({
      shopper_email: 'ada@example.com',
      birth_date: '10-12-1985',
      installments: '3',
      installments_id: 'i3',
    });
  });
});

it('shows a broken link when the address holds no secret', async () => {
  const shown = make(open);
  const silent = new Checkout(
    { view: open, locale: 'en', messages: en, allowed_origins: [] },
    {
      device: vi.fn(),
      loadParts: async () => parts,
      loadBrands: async () => brands,
      now: () => new Date(),
      wait: async () => {},
      post: (message) => void posted.push(message),
      navigate: () => {},
      focus: () => {},
    },
  );
  expect(shown.state.stage.name).toBe('form');
  await silent.start();
  expect(silent.state.stage.name).toBe('broken');
  expect(posted.at(-1)).toMatchObject({ type: 'error', detail: { code: 'no_secret' } });
});

describe('a part that does not load', () => {
  const world = (loadParts: () => Promise<typeof parts | undefined>) => ({
    api: createApi('cs_1.SECRET', relay),
    device: async () => ({}),
    loadParts,
    loadBrands: async () => undefined,
    now: () => new Date(2028, 5, 15),
    wait: async () => {},
    post: (message: Unmarked<FrameMessage>) => void posted.push(message),
    navigate: () => {},
    focus: () => {},
  });
  const boot = (shown: CheckoutView) => ({ view: shown, locale: 'en', messages: en, allowed_origins: [] });
  const more: CheckoutView = { ...open, collect: ['email'] };

  it('shows that the page is incomplete instead of a form that asks too little, and tells the page', async () => {
    view = more;
    checkout = new Checkout(
      boot(more),
      world(async () => undefined),
    );
    render(<App checkout={checkout} hosted={true} />);
    await checkout.start();
    screen.getByText(en.incomplete_title);
    expect(screen.queryByRole('button')).toBeNull();
    expect(posted.at(-1)).toEqual({ type: 'error', detail: { code: 'incomplete', message: en.incomplete_title } });
  });

  it('is asked for again when the shopper comes back, and the form is there', async () => {
    let loads = 0;
    view = more;
    checkout = new Checkout(
      boot(more),
      world(async () => (++loads > 1 ? parts : undefined)),
    );
    render(<App checkout={checkout} hosted={true} />);
    await checkout.start();
    await checkout.refresh();
    expect(loads).toBe(1);
    await checkout.refresh();
    await screen.findByLabelText(en.email);
  });

  it('is not missed by a payment that is looked at until it is settled', async () => {
    const shown: CheckoutView = { ...more, status: 'unknown' };
    view = shown;
    checkout = new Checkout(
      boot(shown),
      world(async () => undefined),
    );
    render(<App checkout={checkout} hosted={true} />);
    const started = checkout.start();
    screen.getByText(en.confirming_title);
    view = { ...more, status: 'approved' };
    await started;
    await screen.findByText(en.approved_title);
  });
});
