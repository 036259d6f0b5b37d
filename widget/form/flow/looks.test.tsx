// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import { en } from '../../locales/en.ts';
import { renderCheckout } from '../render.tsx';
import { button, fake, field, fillCard, make, open, results, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

describe('a session that is looked at', () => {
  it('that is redirected is checked, and then told as not paid', async () => {
    const checkout = make({ ...open, status: 'redirected' });
    render(<App checkout={checkout} hosted={true} />);
    expect(screen.getByText(en.checking_title)).toBeTruthy();
    const started = checkout.start();
    fake.view = { ...open, notice: 'not_paid' };
    await started;
    await screen.findByText(en.not_paid);
    expect(results()).toEqual(['not_paid']);
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
    checkout.speak(boot);
    await waitFor(() => expect(field(/número do cartão/i).value).toBe('4111 1111 1111 1111'));
  });
});
