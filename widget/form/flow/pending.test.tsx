// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { findLanguage, languages } from '../../locales/languages.ts';
import { Checkout } from '../checkout.ts';
import { hosted } from '../hosted/hosted.tsx';
import { renderCheckout } from '../render.tsx';
import {
  approved,
  bootOf,
  everything,
  fake,
  json,
  keys,
  lost,
  make,
  open,
  pay,
  pix,
  problem,
  results,
  retry,
  start,
  testFlow,
  testPlatform,
} from '../testing.tsx';
import { App } from '../view/app.tsx';

const methods: CheckoutView['methods'] = [{ type: 'card' }, { ...pix, fields: [] }];
const pending: CheckoutView = {
  ...open,
  methods,
  status: 'pending',
  pending: { payment_method: 'PIX', can_abandon: true },
};
const withPix = 'We are waiting for your payment with Pix';
const anotherWay = () => screen.findByRole('button', { name: en.form.another_way });

/** Shows a session that is pending, once the shop's page has heard so. */
async function startPending(differs: Partial<CheckoutView> = {}): Promise<Checkout> {
  const checkout = make({ ...pending, ...differs });
  render(<App checkout={checkout} />);
  void checkout.start();
  await waitFor(() => expect(results()).toEqual(['pending']));
  return checkout;
}

describe('a session that is pending', () => {
  it('tells what it awaits, warns against paying twice, and reports once', async () => {
    fake.patience = 0;
    const checkout = await startPending();
    screen.getByRole('heading', { name: withPix });
    screen.getByText(en.form.pending_text);
    // No spinner, because this may take days.
    expect(document.querySelector('.outcome')?.className).toBe('outcome waiting');
    await checkout.refresh();
    await waitFor(() => expect(fake.polls).toBeGreaterThan(1));
    expect(results()).toEqual(['pending']);
    expect(fake.posted).toContainEqual({ type: 'result', detail: { status: 'pending', order_no: 'A-1' } });
  });

  it('opens the issuer’s page again, first, where the payment has one', async () => {
    fake.patience = 0;
    const continue_url = 'https://pay.example/checkout/cs_1/issuer?ticket=1';
    await startPending({ pending: { payment_method: 'PIX', can_abandon: true, continue_url } });
    const link = screen.getByRole('link', { name: 'Open Pix again' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([continue_url, '_top']);
    await userEvent.tab();
    expect(document.activeElement).toBe(link);
    await userEvent.tab();
    expect(document.activeElement).toBe(await anotherWay());
  });

  it('has no such link where the payment has no page', async () => {
    fake.patience = 0;
    await startPending();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it.each([
    ['approved', en.form.approved_title],
    ['failed', en.form.failed_title],
    ['expired', en.form.expired_title],
  ] as const)('is polled until it is %s, and sends its result', async (status, title) => {
    await startPending();
    fake.view = { ...open, methods, status };
    await screen.findByText(title);
    expect(results()).toEqual(['pending', status]);
  });

  it('becomes unknown, and is polled on', async () => {
    await startPending();
    fake.view = { ...open, methods, status: 'unknown' };
    await screen.findByText(en.form.confirming_title);
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['pending', 'unknown', 'approved']);
  });

  it('becomes open: the form and the page learn that nothing was paid', async () => {
    await startPending();
    fake.view = { ...open, methods, notice: 'not_paid', last_method: 'PIX' };
    await screen.findByText(en.form.not_paid);
    expect(results()).toEqual(['pending', 'not_paid']);
  });

  it('offers no other way while a card payment is pending', async () => {
    fake.patience = 0;
    await startPending({ pending: { payment_method: 'card', can_abandon: false } });
    screen.getByRole('heading', { name: en.form.pending_title });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('names a method by its code where another session offered it', async () => {
    fake.patience = 0;
    await startPending({ pending: { payment_method: 'BOLETO', can_abandon: true } });
    screen.getByRole('heading', { name: 'We are waiting for your payment with BOLETO' });
  });

  it('can be the answer to a payment, and then loads its texts', async () => {
    await start({ methods });
    fake.answers = [
      () => {
        fake.view = pending;
        return json({ status: 'pending' });
      },
    ];
    await pay();
    await screen.findByRole('heading', { name: withPix });
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['pending', 'approved']);
    expect(fake.paid).toHaveLength(1);
  });
});

describe('a shopper who chooses another way', () => {
  it('asks the relay, and goes on with the form it answers', async () => {
    const checkout = await startPending();
    fake.tellAnswers = [() => json({ ...open, methods, notice: 'not_paid', last_method: 'PIX' })];
    const button = await anotherWay();
    await userEvent.click(button);
    await screen.findByText(/Do not pay with Pix any more/);
    expect(fake.told).toEqual([{ what: 'abandon', body: {}, method: 'POST', authorization: 'Bearer cs_1.SECRET' }]);
    expect(checkout.state.method).toBe('card');
    expect(document.activeElement?.id).toBe('field-message');
    expect(results()).toEqual(['pending', 'not_paid']);
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByText(en.form.approved_title);
  });

  it('reaches the button by keyboard, and presses it once', async () => {
    fake.patience = 0;
    await startPending();
    await userEvent.tab();
    const button = await anotherWay();
    expect(document.activeElement).toBe(button);
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      en.form.pending_paid,
    );
    fake.tellAnswers = [() => new Promise(() => {})];
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(button);
    expect(fake.told).toHaveLength(1);
  });

  it('says that it cannot be abandoned, and keeps waiting', async () => {
    fake.patience = 0;
    const checkout = await startPending();
    fake.tellAnswers = [problem(409, 'cannot_abandon')];
    fake.view = { ...pending, pending: { payment_method: 'PIX', can_abandon: false } };
    await userEvent.click(await anotherWay());
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(en.form.cannot_abandon));
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
    expect(screen.getByRole('status').textContent).toBe(en.form.cannot_abandon);
    screen.getByRole('heading', { name: withPix });
    const message = en.form.cannot_abandon;
    expect(fake.posted).toContainEqual({ type: 'error', detail: { code: 'cannot_abandon', message } });
    fake.view = { ...open, methods, status: 'approved' };
    await checkout.refresh();
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['pending', 'approved']);
  });

  it.each([
    ['the network fails', lost],
    ['the relay fails', problem(500, 'internal')],
    ['the answer is no JSON', () => new Response('<html>')],
  ])('sees what the session says when %s', async (_, answer) => {
    fake.patience = 0;
    await startPending();
    fake.tellAnswers = [answer, answer];
    const before = fake.polls;
    await userEvent.click(await anotherWay());
    await waitFor(() => expect(fake.polls).toBeGreaterThan(before));
    await waitFor(async () => expect((await anotherWay()).getAttribute('aria-disabled')).toBe('false'));
    screen.getByRole('heading', { name: withPix });
    fake.view = { ...open, methods, notice: 'not_paid' };
    await userEvent.click(await anotherWay());
    await screen.findByText(en.form.not_paid);
    expect(fake.told).toHaveLength(2);
    expect(results()).toEqual(['pending', 'not_paid']);
  });

  it('is not taken back by a poll that began before', async () => {
    fake.patience = 0;
    const checkout = await startPending();
    let arrive = () => {};
    fake.held = new Promise((resolve) => {
      arrive = resolve;
    });
    const before = fake.polls;
    await checkout.refresh();
    await waitFor(() => expect(fake.polls).toBe(before + 1));
    fake.tellAnswers = [() => json({ ...open, methods })];
    await userEvent.click(await anotherWay());
    await screen.findByText(/Do not pay with Pix any more/);
    fake.held = undefined;
    fake.view = { ...open, methods };
    arrive();
    // The form sends the next request only after it has handled the old answer.
    await waitFor(async () => {
      await checkout.refresh();
      expect(fake.polls).toBe(before + 2);
    });
    expect(checkout.state.stage.name).toBe('form');
    expect(results()).toEqual(['pending', 'not_paid']);
  });

  it('pays under a new key, though the first request was lost', async () => {
    await start({ methods });
    fake.answers = [
      () => {
        fake.view = pending;
        return lost();
      },
      () => json(approved),
    ];
    await pay();
    await screen.findByRole('heading', { name: withPix });
    fake.tellAnswers = [() => json({ ...open, methods })];
    await userEvent.click(await anotherWay());
    await screen.findByText(/Do not pay with Pix any more/);
    await retry();
    await screen.findByText(en.form.approved_title);
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('while a payment is pending', () => {
  /** Texts that do not say whether money was paid. */
  const NEUTRAL = ['pending_with', 'pending_title', 'pending_text', 'pending_paid', 'another_way', 'back'];
  const NEUTRAL_TOLD = ['cannot_abandon', 'no_connection'];
  const shownKeys = (html: string) => new Set([...html.matchAll(/⟦(\w+)⟧/g)].map(([, key]) => key));

  it('the form never says whether money was paid', async () => {
    const boot = bootOf({ ...pending, attempts_left: 0, advice: 'contact_bank' });
    const messages = Object.fromEntries(Object.keys(boot.messages).map((key) => [key, `⟦${key}⟧`]));
    fake.view = { ...pending, attempts_left: 0, notice: 'declined', advice: 'contact_bank' };
    fake.patience = 0;
    const checkout = new Checkout({ ...boot, messages }, testPlatform(), everything, {
      parts: undefined,
      flow: testFlow,
    });
    const { container } = render(<App checkout={checkout} hosted={hosted} />);
    const seen = new Set<string | undefined>();
    const collect = () => {
      for (const key of shownKeys(container.innerHTML)) seen.add(key);
    };
    collect();
    void checkout.start();
    await waitFor(() => expect(results()).toEqual(['pending']));
    fake.tellAnswers = [problem(409, 'cannot_abandon'), lost];
    await checkout.act('abandon');
    collect();
    await waitFor(() => expect(container.innerHTML).toContain('⟦cannot_abandon⟧'));
    collect();
    fake.offline = true;
    await checkout.refresh();
    await waitFor(() => expect(container.innerHTML).toContain('⟦no_connection⟧'));
    collect();
    expect([...seen].sort()).toEqual([...NEUTRAL, ...NEUTRAL_TOLD].filter((key) => key !== 'pending_title').sort());
    expect(results()).toEqual(['pending']);
  });

  it.each(Object.keys(languages))('the page rendered in %s says no more', (lang) => {
    const { form } = findLanguage([lang]);
    const { body } = renderCheckout({ view: pending, locales: [lang], allowed_origins: [] });
    expect(body).toContain(form.pending_text);
    expect(body).not.toContain('<form');
    expect(body).not.toContain('129');
  });
});

it('an order paid through another session is reported as paid', async () => {
  await start({ status: 'failed', reason: 'order_already_paid' });
  await screen.findByRole('heading', { name: en.form.paid_title });
  screen.getByText(en.form.order_already_paid);
  expect(screen.queryByText(en.form.failed_title)).toBeNull();
  expect(results()).toEqual(['failed']);
});
