// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { renderCheckout } from '../render.tsx';
import { button, fake, field, fillCard, make, open, results, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

describe('a session that is opened again', () => {
  it('that was paid before shows its receipt, with one result event', async () => {
    const paid: CheckoutView = { ...open, status: 'approved', transaction_id: 'T-1', card: '411111******1111' };
    const checkout = make({ ...open, status: 'approved' });
    fake.view = paid;
    render(<App checkout={checkout} />);
    await checkout.start();
    await screen.findByText(/1111/);
    await checkout.refresh();
    expect(results()).toEqual(['approved']);
  });

  it('opens with the last method if that was not paid', async () => {
    const methods: PaymentMethod[] = [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }];
    const checkout = make({ ...open, methods, status: 'unknown' });
    render(<App checkout={checkout} />);
    fake.view = { ...open, methods, notice: 'not_paid', last_method: 'PIX' };
    await checkout.start();
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Pix' }).checked).toBe(true));
    checkout.choose('card');
    await checkout.refresh();
    expect(checkout.state.method).toBe('card');
    checkout.choose('apm PIX');
    checkout.set({ stage: { name: 'confirming' } });
    fake.view = { ...open, methods };
    await checkout.refresh();
    expect(checkout.state.method).toBe('apm PIX');
  });

  it('that changed shows its amount in place and keeps what was typed', async () => {
    const checkout = await start();
    await fillCard();
    fake.view = { ...open, amount: '99.00', revision: 2 };
    await checkout.refresh();
    await waitFor(() => expect(button().textContent).toBe('Pay R$99.00'));
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
  });

  it('is shown in another language without losing what was typed', async () => {
    const checkout = await start();
    await fillCard();
    const { boot } = renderCheckout({ view: open, locales: ['pt-BR'], allowed_origins: [] });
    checkout.setLocale(boot);
    await waitFor(() => expect(field(/número do cartão/i).value).toBe('4111 1111 1111 1111'));
  });
});
