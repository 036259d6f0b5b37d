// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { CheckoutView } from '../../shared/checkout/view.ts';
import english from '../locales/en.json' with { type: 'json' };
import { Checkout } from './checkout.ts';
import { loadDetails } from './details/details.tsx';
import type { Loaders } from './model.ts';
import { partsWith } from './parts/parts.tsx';
import {
  approved,
  bootOf,
  button,
  everything,
  fake,
  field,
  fillCard,
  json,
  open,
  pay,
  testFlow,
  testPlatform,
} from './testing.tsx';
import { App } from './view/app.tsx';

const en = { ...english.form, ...english.fields };
const parts = partsWith(await loadDetails());

/** A form that has no chunk yet, and loads each with the given loader. */
function show(shown: CheckoutView, loaders: Partial<Loaders>, platform = testPlatform()): Checkout {
  fake.view = shown;
  const checkout = new Checkout(bootOf(shown), platform, { ...everything, ...loaders }, {});
  render(<App checkout={checkout} />);
  return checkout;
}

const nothing = async () => undefined;
const more: CheckoutView = { ...open, collect: ['email'] };

it('shows a broken link when the address holds no secret', async () => {
  const checkout = show(open, {}, testPlatform({ secret: '' }));
  expect(checkout.state.stage.name).toBe('form');
  await checkout.start();
  await screen.findByText(en.broken_title);
  expect(fake.posted.at(-1)).toMatchObject({ type: 'error', detail: { code: 'no_secret' } });
});

describe('chunks of the first view that do not load', () => {
  it('show an incomplete page instead of a short form, and report it', async () => {
    const checkout = show(more, { parts: nothing });
    await checkout.start();
    await screen.findByText(en.incomplete_title);
    expect(screen.queryByRole('button')).toBeNull();
    expect(fake.posted.at(-1)).toEqual({ type: 'error', detail: { code: 'incomplete', message: en.incomplete_title } });
  });

  it('are requested again when the shopper returns, and the form appears', async () => {
    let loads = 0;
    const checkout = show(more, { parts: async () => (++loads > 1 ? parts : undefined) });
    await checkout.start();
    await checkout.refresh();
    expect(loads).toBe(1);
    await checkout.refresh();
    await screen.findByLabelText(en.email);
  });

  it('are not needed by a payment that is polled until settled', async () => {
    const checkout = show({ ...more, status: 'unknown' }, { parts: nothing });
    const started = checkout.start();
    await screen.findByText(en.confirming_title);
    fake.view = { ...more, status: 'approved' };
    await started;
    await screen.findByText(en.approved_title);
  });
});

describe('a flow that loads late', () => {
  it('then shows the brand and the errors of fields that were left', async () => {
    let arrive = (_: typeof testFlow): void => {};
    const checkout = show(open, { flow: () => new Promise<typeof testFlow>((resolve) => (arrive = resolve)) });
    const started = checkout.start();
    await userEvent.type(field(/card number/i), '378282246310006');
    await userEvent.type(field(/expiry/i), '1');
    expect(field(/card number/i).value).toBe('3782 822463 10006');
    expect(document.getElementById('error-card')?.textContent).toBe('');
    expect(fake.posted).toEqual([]);
    arrive(testFlow);
    await started;
    await screen.findByText('American Express');
    expect(document.getElementById('error-card')?.textContent).toBe(en.number_invalid);
    expect(document.getElementById('error-expiry')?.textContent).toBe('');
    expect(fake.posted).toEqual([
      { type: 'change', detail: { complete: false, brand: 'amex', payment_method: 'card' } },
    ]);
  });

  it('checks a form that was submitted before', async () => {
    let arrive = (_: typeof testFlow): void => {};
    show(open, { flow: () => new Promise<typeof testFlow>((resolve) => (arrive = resolve)) });
    await userEvent.type(field(/card number/i), '4111');
    await userEvent.click(button());
    await screen.findAllByText(en.paying);
    arrive(testFlow);
    await screen.findByText(en.number_incomplete);
    expect(document.activeElement?.id).toBe('field-card');
    expect(fake.paid).toEqual([]);
  });
});

describe('views that load late', () => {
  /** Views that arrive when `arrive` is called, and how often they were requested. */
  function lateViews() {
    const late = { loads: 0, arrive: (): void => {} };
    const arrived = new Promise<void>((resolve) => {
      late.arrive = resolve;
    });
    const load = async () => {
      late.loads += 1;
      await arrived;
      return everything.views();
    };
    return { late, load };
  }

  it('are not requested by a form that is only looked at', async () => {
    const { late, load } = lateViews();
    await show(open, { views: load }).start();
    expect(late.loads).toBe(0);
  });

  it('hold a payment until its outcome can be shown', async () => {
    const { late, load } = lateViews();
    await show(open, { views: load }).start();
    await pay();
    await screen.findAllByText(en.paying);
    expect(fake.paid).toEqual([]);
    fake.answers = [() => json(approved)];
    late.arrive();
    await screen.findByRole('heading', { name: en.approved_title });
    expect([late.loads, fake.paid.length]).toEqual([1, 1]);
  });

  it('hold a payment although an earlier load of the session ends', async () => {
    const { late, load } = lateViews();
    let answerPoll = (): void => {};
    fake.held = new Promise<void>((resolve) => {
      answerPoll = resolve;
    });
    const checkout = show(open, { views: load });
    const started = checkout.start();
    await pay();
    await screen.findAllByText(en.paying);
    answerPoll();
    await started;
    expect(checkout.state.stage.name).toBe('paying');
    fake.answers = [() => json(approved)];
    late.arrive();
    await screen.findByRole('heading', { name: en.approved_title });
    expect(fake.paid.length).toBe(1);
  });

  it('leave the focus on a message', async () => {
    const { late, load } = lateViews();
    await show(open, { flow: nothing, views: load }).start();
    await pay();
    const message = (await screen.findByText(en.incomplete_text)).closest('#field-message');
    expect(document.activeElement).toBe(message);
    late.arrive();
    await waitFor(() => expect(message?.className).toBe('message calm'));
    expect(document.activeElement).toBe(message);
  });

  it('come before the message that an order changed', async () => {
    const { late, load } = lateViews();
    const checkout = show(open, { views: load });
    await checkout.start();
    fake.view = { ...open, amount: '200.00', revision: open.revision + 1 };
    const refreshed = checkout.refresh();
    await waitFor(() => expect(late.loads).toBe(1));
    expect(document.getElementById('field-message')).toBeNull();
    late.arrive();
    await refreshed;
    expect((await screen.findByText(/amount is now/)).className).toBe('message calm');
  });
});

it.each(['flow', 'views'] as const)(
  'lets a shopper type without the %s, asks for a reload, then pays',
  async (name) => {
    let isThere = false;
    const loaders = { [name]: async () => (isThere ? everything[name]() : undefined) };
    await show(open, loaders).start();
    await pay();
    await screen.findByText(en.incomplete_text);
    expect(fake.paid).toEqual([]);
    expect(document.activeElement?.id).toBe('field-message');
    expect(fake.posted.at(-1)).toEqual({ type: 'error', detail: { code: 'incomplete', message: en.incomplete_text } });
    isThere = true;
    fake.answers = [() => json(approved)];
    button().click();
    await screen.findByText(en.approved_title);
    expect(fake.paid.length).toBe(1);
  },
);

describe('a flow that does not load', () => {
  it('hangs: the form reports nothing sent, and the next press pays', async () => {
    fake.patience = Number.POSITIVE_INFINITY;
    let arrive = (_: typeof testFlow): void => {};
    show(open, { flow: () => new Promise<typeof testFlow>((resolve) => (arrive = resolve)) });
    await pay();
    await screen.findByText(en.not_sent);
    fake.patience = 7000;
    fake.answers = [() => json(approved)];
    button().click();
    await screen.findAllByText(en.paying);
    expect(fake.paid).toEqual([]);
    arrive(testFlow);
    await screen.findByText(en.approved_title);
    expect(fake.paid.length).toBe(1);
  });

  it('still shows the outcome of a session in words', async () => {
    show({ ...open, status: 'approved' }, { flow: nothing });
    expect(screen.queryByRole('button')).toBeNull();
    screen.getByText(/went through/);
  });

  it('is loaded once, however often the button is pressed', async () => {
    let loads = 0;
    let arrive = (): void => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const flow = async () => {
      loads += 1;
      await slow;
      return testFlow;
    };
    show(open, { flow });
    await fillCard();
    fake.answers = [() => json(approved)];
    button().click();
    button().click();
    await screen.findAllByText(en.paying);
    arrive();
    await screen.findByText(en.approved_title);
    expect([loads, fake.paid.length]).toEqual([1, 1]);
  });
});
