// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, fake, json, make, open, pay, pix, results, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

const methods: CheckoutView['methods'] = [{ type: 'card' }, { ...pix, fields: [] }];
const watched = { payment_method: 'PIX' };
const paid: CheckoutView = { ...open, methods, status: 'approved', transaction_id: 'T-1', card: '411111******1111' };
const told = 'You paid twice. Your payment with Card counts. The shop has been informed of the second payment.';

describe('an order that was paid twice', () => {
  it('is named on the outcome page, with the counted payment', async () => {
    fake.patience = 0;
    const checkout = make({ ...paid, paid_twice: { payment_method: 'card' } });
    render(<App checkout={checkout} />);
    await checkout.start();
    screen.getByRole('heading', { name: en.form.approved_title });
    expect(screen.getByRole('status').textContent).toBe(told);
  });

  it('is found on the first payment’s page without another result', async () => {
    fake.patience = 61_000;
    await start({ methods, watched, notice: 'not_paid', last_method: 'PIX' });
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByRole('heading', { name: en.form.approved_title });
    expect(screen.getByRole('status').textContent).toBe('');
    fake.view = { ...paid, paid_twice: { payment_method: 'card' } };
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(told));
    expect(results()).toEqual(['approved']);
  });

  it('polls at once when the first payment’s page becomes visible', async () => {
    fake.patience = 0;
    const checkout = make({ ...paid, watched });
    render(<App checkout={checkout} />);
    await checkout.start();
    fake.view = { ...paid, paid_twice: { payment_method: 'card' } };
    await checkout.refresh();
    expect(screen.getByRole('status').textContent).toBe(told);
    await checkout.refresh();
    expect(fake.polls).toBe(2);
  });

  it('is not polled for if no other payment can arrive', async () => {
    fake.patience = 61_000;
    const checkout = make(paid);
    render(<App checkout={checkout} />);
    await checkout.start();
    expect(fake.polls).toBe(1);
    expect(fake.waits).toEqual([]);
    expect(screen.getByRole('status').textContent).toBe('');
  });
});
