// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, fillCard, json, open, pay, results, start } from '../testing.tsx';

describe('submitting', () => {
  it('shows every problem at once, focuses the first field and sends nothing', async () => {
    await start();
    await userEvent.click(button());
    expect(screen.getByText(en.form.number_missing)).toBeTruthy();
    expect(screen.getByText(en.form.name_missing)).toBeTruthy();
    expect(document.activeElement).toBe(field(/card number/i));
    expect(fake.paid).toEqual([]);
  });

  it('refuses a card that is expired by the given clock', async () => {
    await start();
    await userEvent.type(field(/expiry/i), '0528');
    await userEvent.click(button());
    expect(screen.getByText(en.form.expiry_past)).toBeTruthy();
  });

  it('sends the card as the relay expects, and the secret as header', async () => {
    await start();
    fake.answers = [() => json(approved)];
    await pay();
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(fake.paid[0]?.body).toEqual({
      card: '4111111111111111',
      expiration_month: '12',
      expiration_year: '2030',
      security_code: '737',
      first_name: 'Ada',
      last_name: 'Byron',
      revision: 1,
      device: { browser_lang: 'en' },
    });
    expect(fake.paid[0]?.headers.get('authorization')).toBe('Bearer cs_1.SECRET');
  });

  it('keeps focus and request while paying, clears the code, and says so', async () => {
    const checkout = await start();
    fake.answers = [() => new Promise(() => {})];
    await fillCard();
    const name = field(/name on card/i);
    await userEvent.type(name, '{Enter}');
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(document.activeElement).toBe(name);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(en.form.paying));
    expect(field(/security code/i).value).toBe('•••');
    expect(Object.values(checkout.state.values)).not.toContain('737');
    await userEvent.type(name, ' Lovelace');
    fireEvent.input(name, { target: { value: 'Grace Hopper' } });
    await waitFor(() => expect(name.value).toBe('Ada Byron'));
    expect(button().getAttribute('aria-disabled')).toBe('true');
  });

  it('pays once, however often the button is pressed', async () => {
    const checkout = await start();
    let answer = (_: Response) => {};
    fake.answers = [
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
    await waitFor(() => expect(fake.paid.length).toBe(1));
    expect(pressed.getAttribute('aria-disabled')).toBe('true');
    answer(json(approved));
    await screen.findByText(en.form.approved_title);
    await checkout.submit();
    expect(fake.paid.length).toBe(1);
  });
});

describe('outcomes', () => {
  it('approved shows a receipt, and never a live form again', async () => {
    const checkout = await start();
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByText(en.form.approved_title);
    const rows = [...document.querySelectorAll('dl div')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows).toEqual([
      [en.form.paid_to, 'Demo Shop'],
      [en.form.paid_on, 'June 15, 2028'],
      [en.form.order_no, 'A-1'],
      [en.form.paid_with, 'Visa •••• 1111'],
    ]);
    expect(results()).toEqual(['approved']);
    await checkout.refresh();
    expect(screen.queryByRole('button')).toBeNull();
    expect(checkout.state.values).toEqual({});
  });

  it('declined gives advice, keeps all but the security code, and allows retry', async () => {
    await start();
    fake.answers = [
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
    await screen.findByText(/Check your card details.*once more/);
    expect(document.body.textContent).not.toContain('GATEWAY TEXT');
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
    expect(field(/security code/i).value).toBe('');
    expect(screen.getByRole('status').textContent).toContain('declined');
    expect(document.activeElement).toBe(field(/security code/i));
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['declined', 'approved']);
  });

  it('empties a card that cannot pay, also where that is known later', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...open, notice: 'declined', advice: 'try_another_card', attempts_left: 4 };
        return json({ status: 'unknown' });
      },
    ];
    await pay();
    await screen.findByText(/Use another card\. You can try 4 more times/);
    expect([/card number/i, /expiry/i, /security code/i].map((name) => field(name).value)).toEqual(['', '', '']);
    expect(field(/name on card/i).value).toBe('Ada Byron');
    expect(document.activeElement).toBe(field(/card number/i));
  });

  it('the last decline ends the checkout', async () => {
    await start();
    fake.answers = [
      () => json({ status: 'declined', advice: 'contact_bank', attempts_left: 0, result: { code: '5', message: '' } }),
    ];
    await pay();
    await screen.findByText(en.form.failed_title);
    expect(results()).toEqual(['declined', 'failed']);
  });

  it('redirect opens the relay’s address', async () => {
    await start();
    fake.answers = [
      () => json({ status: 'redirect', redirect_url: 'https://pay.example/checkout/cs_1/issuer?ticket=t' }),
    ];
    await pay();
    await screen.findByText(en.form.leaving_title);
    expect(fake.navigated).toEqual(['https://pay.example/checkout/cs_1/issuer?ticket=t']);
    expect(screen.getByRole('link').getAttribute('href')).toBe(fake.navigated[0]);
  });

  it('unknown is polled for, and sends its result', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, status: 'unknown' };
        return json({ status: 'unknown' });
      },
    ];
    await pay();
    await screen.findByText(en.form.confirming_title);
    fake.view = { ...fake.view, status: 'approved', transaction_id: 'T-1', card: '411111******1111' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['unknown', 'approved']);
    expect(fake.paid.length).toBe(1);
  });
});

describe('a checkout that cannot be paid any more', () => {
  it.each(['failed', 'expired'] as const)('keeps no card when it has %s', async (status) => {
    const checkout = await start();
    await fillCard();
    fake.view = { ...open, status };
    await checkout.refresh();
    expect(checkout.state.values).toEqual({});
  });

  it('keeps no card after its last attempt was declined', async () => {
    const checkout = await start();
    fake.answers = [
      () => json({ status: 'declined', result: { code: '1', message: '' }, advice: 'contact_bank', attempts_left: 0 }),
    ];
    await pay();
    await screen.findByText(en.form.failed_title);
    expect(checkout.state.values).toEqual({});
  });
});
