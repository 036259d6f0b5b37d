// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import type { Checkout } from '../checkout.ts';
import { fake, json, lost, make, open, pix, problem, results } from '../testing.tsx';
import { App } from '../view/app.tsx';

const methods: CheckoutView['methods'] = [{ type: 'card' }, { ...pix, fields: [] }];
const continue_url = 'https://pay.example/checkout/cs_1/issuer?ticket=1';
const redirected = (returned: boolean): CheckoutView => ({
  ...{ ...open, methods, status: 'redirected' },
  redirected: { payment_method: 'PIX', can_abandon: true, returned, continue_url },
});
const unheard: CheckoutView = {
  ...{ ...open, methods, notice: 'not_paid', last_method: 'PIX' },
  watched: { payment_method: 'PIX' },
};
const notPaid = /We have received no payment with Pix yet. Already paid\? We are still looking/;
const finish = 'Finish your payment with Pix';
const button = (name: string) => screen.findByRole('button', { name });

async function openForm(view: CheckoutView): Promise<Checkout> {
  const checkout = make(view);
  render(<App checkout={checkout} />);
  void checkout.start();
  await waitFor(() => expect(fake.polls).toBe(1));
  return checkout;
}

describe('a form that is opened while its shopper is at the issuer', () => {
  it('offers to continue the same payment first', async () => {
    fake.patience = 0;
    await openForm(redirected(false));
    screen.getByRole('heading', { name: finish });
    screen.getByText(en.form.away_text);
    const link = screen.getByRole('link', { name: 'Continue your Pix payment' });
    expect(link.getAttribute('href')).toBe(continue_url);
    expect(screen.queryByRole('img')).toBeNull();
    expect(link.getAttribute('target')).toBe('_top');
    await userEvent.tab();
    expect(document.activeElement).toBe(link);
    for (const name of [en.form.have_paid, en.form.did_not_pay]) {
      await userEvent.tab();
      expect(document.activeElement).toBe(await button(name));
    }
    expect(document.querySelector('form')).toBeNull();
    expect(fake.told).toEqual([]);
    expect(results()).toEqual([]);
  });

  it('shows a desktop the code of the same address for a phone', async () => {
    const media: string[] = [];
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: Boolean(media.push(query)) }));
    onTestFinished(() => void vi.unstubAllGlobals());
    fake.patience = 0;
    await openForm(redirected(false));
    const code = within(screen.getByText(en.form.scan)).getByRole('img', { name: en.form.qr_code });
    expect(code.getAttribute('src')).toBe('https://pay.example/checkout/cs_1/issuer.svg?ticket=1');
    expect(media[0]).toMatch(/pointer: fine.*hover: hover.*min-width/);
  });

  it('never keeps a link that the relay has replaced', async () => {
    await openForm(redirected(false));
    const later = 'https://pay.example/checkout/cs_1/issuer?ticket=2';
    const away = { payment_method: 'PIX', can_abandon: true, returned: false, continue_url: later };
    fake.view = { ...redirected(false), redirected: away };
    const link = screen.getByRole('link', { name: 'Continue your Pix payment' });
    await waitFor(() => expect(link.getAttribute('href')).toBe(later));
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
  });

  it('becomes approved without an action', async () => {
    await openForm(redirected(false));
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['approved']);
  });

  it('reports the shopper’s return once “I have paid” is pressed', async () => {
    fake.patience = 0;
    await openForm(redirected(false));
    fake.tellAnswers = [() => json(redirected(true))];
    fake.view = redirected(true);
    await userEvent.click(await button(en.form.have_paid));
    const heading = await screen.findByRole('heading', { name: en.form.confirming_title });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(fake.told).toEqual([{ what: 'returned', body: {}, method: 'POST', authorization: 'Bearer cs_1.SECRET' }]);
  });

  it('ignores further presses while it is busy', async () => {
    fake.patience = 0;
    await openForm(redirected(false));
    fake.tellAnswers = [() => new Promise(() => {})];
    const [paid, another] = [await button(en.form.have_paid), await button(en.form.did_not_pay)];
    await userEvent.click(paid);
    await waitFor(() => expect(paid.className).toBe('busy'));
    expect(another.className).toBe('');
    expect([paid, another].map((one) => one.getAttribute('aria-disabled'))).toEqual(['true', 'true']);
    await userEvent.click(another);
    expect(fake.told).toHaveLength(1);
  });

  it('offers another way once the shopper did not pay', async () => {
    const checkout = await openForm(redirected(false));
    fake.tellAnswers = [() => json(unheard)];
    await userEvent.click(await button(en.form.did_not_pay));
    await screen.findByText(/Do not pay with Pix any more/);
    expect(fake.told).toMatchObject([{ what: 'abandon' }]);
    expect(checkout.state.method).toBe('card');
    expect(results()).toEqual(['not_paid']);
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['not_paid', 'approved']);
  });

  it.each([
    ['cannot_abandon', problem(409, 'cannot_abandon'), en.form.cannot_abandon],
    ['gateway_unreachable', problem(503, 'gateway_unreachable'), en.form.order_in_progress],
  ])('tells why it does not open: %s', async (code, answer, message) => {
    fake.patience = 0;
    await openForm(redirected(false));
    fake.tellAnswers = [answer];
    await userEvent.click(await button(en.form.did_not_pay));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(message));
    screen.getByRole('heading', { name: finish });
    expect(fake.posted).toContainEqual({ type: 'error', detail: { code, message } });
  });

  it('shows no outcome when the answer is lost', async () => {
    fake.patience = 0;
    await openForm(redirected(false));
    fake.tellAnswers = [lost];
    fake.view = redirected(true);
    await userEvent.click(await button(en.form.have_paid));
    await screen.findByRole('heading', { name: en.form.confirming_title });
  });
});

describe('a shopper who returned from the issuer', () => {
  it('can choose another way after five seconds', async () => {
    fake.patience = 6000;
    await openForm(redirected(true));
    screen.getByRole('heading', { name: en.form.confirming_title });
    const other = await button(en.form.did_not_pay);
    expect(fake.waits).toContain(5000);
    fake.tellAnswers = [() => json(unheard)];
    await userEvent.click(other);
    await screen.findByText(/Do not pay with Pix any more/);
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
  });

  it('has no other way before that', async () => {
    fake.patience = 5000;
    await openForm(redirected(true));
    await waitFor(() => expect(fake.polls).toBeGreaterThan(3));
    expect(screen.queryByRole('button')).toBeNull();
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
  });

  it('reads that no payment has arrived, after choosing another way', async () => {
    fake.patience = 3000;
    const checkout = await openForm(redirected(true));
    fake.view = unheard;
    await screen.findByText(notPaid);
    expect(checkout.state.method).toBe('card');
    expect(results()).toEqual(['not_paid']);
  });

  it('restores after a reload, and shows the result on arrival', async () => {
    fake.patience = 61_000;
    const checkout = await openForm(unheard);
    screen.getByText(notPaid);
    expect(checkout.state.method).toBe('card');
    checkout.choose('apm PIX');
    await waitFor(() => expect(fake.polls).toBeGreaterThan(6));
    expect(checkout.state.method).toBe('apm PIX');
    screen.getByText(notPaid);
    expect(fake.waits.slice(0, 6)).toEqual([3000, 2000, 5000, 10_000, 60_000, 60_000]);
    fake.view = { ...open, methods, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['approved']);
  });

  it('polls at once when the page becomes visible again', async () => {
    fake.patience = 60_000;
    const checkout = await openForm(unheard);
    await waitFor(() => expect(fake.waits.at(-1)).toBe(60_000));
    const { polls } = fake;
    await checkout.refresh();
    expect(fake.polls).toBe(polls + 1);
    await waitFor(() => expect(fake.waits.slice(-5)).toEqual([3000, 2000, 5000, 10_000, 60_000]));
    fake.view = { ...open, methods, status: 'approved' };
    await checkout.refresh();
    expect(results()).toEqual(['approved']);
  });
});
