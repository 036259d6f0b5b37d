// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Boot, CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { Checkout } from '../checkout.ts';
import { views } from '../flow/views/views.tsx';
import { approved, bootOf, everything, fake, json, open, pay, testFlow, testPlatform } from '../testing.tsx';
import { App } from '../view/app.tsx';
import { hosted } from './hosted.tsx';

const returning = 'You will go back to Demo Shop in 3 seconds.';
const order = { items: [{ name: 'Tea', total: 'R$129.90' }], sums: [] };
const pageBoot = (view: CheckoutView, summary = order): Boot => ({
  ...bootOf(view),
  messages: { ...bootOf(view).messages, ...en.hosted },
  allowed_origins: ['https://shop.example'],
  hosted: { summary },
});

/** Shows a hosted page. */
function show(differs: Partial<CheckoutView> = {}, platform = testPlatform()): Checkout {
  const view = { ...open, ...differs };
  fake.view = view;
  document.body.innerHTML = '<div id="summary"></div><main></main>';
  const checkout = new Checkout(pageBoot(view), platform, everything, { flow: testFlow, views });
  render(<App checkout={checkout} hosted={hosted} />, { container: document.querySelector('main') ?? document.body });
  hosted.start(checkout);
  return checkout;
}

const summary = () => within(screen.getByRole('region', { name: 'Order summary' }));
const back = () => screen.queryByRole('link', { name: 'Back to Demo Shop' });

/** A platform on which the test ends each wait. */
function heldPlatform() {
  const ends = new Map<number, () => void>();
  const wait = (ms: number) => new Promise<void>((end) => void ends.set(ms, end));
  const end = async (ms: number) => {
    await waitFor(() => expect(ends.has(ms)).toBe(true));
    ends.get(ms)?.();
  };
  return { platform: testPlatform({ wait }), end };
}

describe('after an approved payment', () => {
  async function payHeld() {
    const { platform, end } = heldPlatform();
    const checkout = show({}, platform);
    await checkout.start();
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByRole('heading', { name: en.form.approved_title });
    return { checkout, end };
  }

  it('the shopper reads so, and goes back after three seconds', async () => {
    const { end } = await payHeld();
    const region = document.querySelector('.returning');
    expect(region?.getAttribute('role')).toBe('status');
    expect(region?.textContent).toBe('');
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    await end(400);
    await waitFor(() => expect(region?.textContent).toBe(returning));
    expect(back()?.getAttribute('href')).toBe('/return/cs_1');
    expect(fake.navigated).toEqual([]);
    await end(3000);
    await waitFor(() => expect(fake.navigated).toEqual(['/return/cs_1']));
  });

  it('the shopper stays who moves the focus meanwhile', async () => {
    const { end } = await payHeld();
    await end(400);
    await screen.findByText(returning);
    await userEvent.tab();
    expect(document.activeElement).toBe(back());
    await waitFor(() => expect(screen.queryByText(returning)).toBeNull());
    await end(3000);
    await Promise.resolve();
    expect(fake.navigated).toEqual([]);
  });

  it('the shopper stays who turns out to have paid twice meanwhile', async () => {
    const { checkout, end } = await payHeld();
    await end(400);
    await screen.findByText(returning);
    checkout.set({ view: { ...checkout.state.view, paid_twice: { payment_method: 'card' } } });
    await end(3000);
    await waitFor(() => expect(screen.queryByText(returning)).toBeNull());
    screen.getByText(/You paid twice/);
    expect(fake.navigated).toEqual([]);
  });

  it('the shopper stays who presses the button for that', async () => {
    const { end } = await payHeld();
    await end(400);
    await userEvent.click(await screen.findByRole('button', { name: 'Stay on this page' }));
    await waitFor(() => expect(screen.queryByText(returning)).toBeNull());
    expect(screen.queryByRole('button')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    await end(3000);
    await Promise.resolve();
    expect(fake.navigated).toEqual([]);
  });

  it('the tab’s title says so', async () => {
    await payHeld();
    expect(document.title).toBe('Payment approved · Demo Shop');
  });

  it('the page of a later visit stays', async () => {
    const checkout = show({ status: 'approved' });
    await checkout.start();
    await waitFor(() => expect(back()?.getAttribute('href')).toBe('/return/cs_1'));
    expect(fake.waits).not.toContain(3000);
    expect(fake.navigated).toEqual([]);
  });

  it('the page stays without an address to go back to', async () => {
    const checkout = show({ returns: false });
    await checkout.start();
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByRole('heading', { name: en.form.approved_title });
    expect(back()?.getAttribute('href')).toBe('https://shop.example');
    expect(fake.waits).not.toContain(3000);
  });
});

describe('every outcome offers a next step', () => {
  it.each(['approved', 'failed', 'expired', 'pending', 'unknown', 'redirected'] as const)('%s', (status) => {
    show({ status });
    expect(back()?.getAttribute('href')).toBe('/return/cs_1');
  });

  it('an order that is paid already', () => {
    show({ status: 'failed', reason: 'order_already_paid', returns: false });
    expect(back()?.getAttribute('href')).toBe('https://shop.example');
  });

  it('a link without its secret', async () => {
    const checkout = show({}, testPlatform({ secret: '' }));
    await checkout.start();
    await screen.findByRole('heading', { name: en.form.broken_title });
    expect(back()?.getAttribute('href')).toBe('/return/cs_1');
  });

  it('a page that did not load completely', () => {
    show({ collect: ['email'] });
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('the order beside the form', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('names the shop, the amount and the items', () => {
    show();
    expect(screen.getByRole('heading').textContent).toBe('Pay Demo Shop');
    expect(summary().getByText('Tea')).toBeTruthy();
    expect(back()?.getAttribute('href')).toBe('/return/cs_1');
  });

  it('keeps the way back closed while a payment is under way', async () => {
    const checkout = show();
    expect(back()?.classList.contains('closed')).toBe(false);
    checkout.set({ stage: { name: 'paying' } });
    await waitFor(() => expect(back()?.classList.contains('closed')).toBe(true));
  });

  const changed = { ...open, revision: 2, amount: '60.00' };
  it('shows the order after the shop changed it', async () => {
    const items = [{ name: 'Coffee', total: 'R$60.00' }];
    vi.stubGlobal('fetch', async () => Response.json(pageBoot(changed, { items, sums: [] })));
    const checkout = show();
    fake.view = changed;
    await checkout.start();
    await summary().findByText('Coffee');
    expect(summary().getAllByText('R$60.00').length).toBeGreaterThan(0);
    expect(summary().queryByText('Tea')).toBeNull();
  });

  it('shows the amount alone while it cannot be loaded', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: 'store_unavailable' }, { status: 503 }));
    const checkout = show();
    fake.view = changed;
    await checkout.start();
    await waitFor(() => expect(summary().queryByText('Tea')).toBeNull());
    expect(summary().getByText('R$60.00')).toBeTruthy();
  });
});
