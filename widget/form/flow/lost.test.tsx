// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import {
  approved,
  button,
  fake,
  field,
  json,
  keys,
  lost,
  make,
  open,
  pay,
  problem,
  results,
  retry,
  start,
} from '../testing.tsx';
import { App } from '../view/app.tsx';

describe('a lost answer', () => {
  it.each([
    ['the network fails', lost],
    ['the answer is no JSON', () => new Response('<html>', { status: 200 })],
    ['the relay fails after it may have sent', problem(502, 'gateway_answer_unusable')],
  ])('when %s, the session tells the truth and nothing is sent twice', async (_, answer) => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, status: 'processing' };
        return answer();
      },
    ];
    await pay();
    await screen.findByText(en.form.confirming_title);
    fake.view = { ...fake.view, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(fake.paid.length).toBe(1);
  });

  it('reports only that no payment arrived when the session stays open', async () => {
    await start();
    fake.answers = [lost];
    await pay();
    await screen.findByText(en.form.not_received);
    expect(fake.polls).toBeGreaterThanOrEqual(3);
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
    const code = field(/security code/i);
    expect(code.value).toBe('');
    // The form is rendered again with its message: a screen reader reads it with the focused field.
    expect(document.activeElement).toBe(code);
    const describing = (code.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id));
    expect(describing.map((element) => element?.textContent).join()).toContain(en.form.not_received);
    expect(fake.posted).toContainEqual({
      type: 'error',
      detail: { code: 'request_lost', message: en.form.not_received },
    });
    expect(fake.paid.length).toBe(1);
  });

  it('is retried under the same key, so both requests make one try', async () => {
    await start();
    fake.answers = [lost, problem(500, 'internal'), () => json(approved)];
    await pay();
    await screen.findByText(en.form.not_received);
    await retry();
    await screen.findByText(en.form.confirming_title);
    await screen.findByText(en.form.not_received);
    await retry();
    await screen.findByText(en.form.approved_title);
    const [key, ...others] = keys();
    expect(key).toMatch(/^[\d,]{7,}$/);
    expect(others).toEqual([key, key]);
  });

  it('reads the session when the relay knows the repeated try', async () => {
    await start();
    fake.answers = [lost, problem(409, 'attempt_in_flight'), () => json(approved)];
    await pay();
    await screen.findByText(en.form.not_received);
    await retry();
    await waitFor(() => expect(keys()).toHaveLength(2));
    await screen.findByText(en.form.not_received);
    await retry();
    await screen.findByText(en.form.approved_title);
    expect(new Set(keys()).size).toBe(2);
    expect(keys()[0]).toBe(keys()[1]);
  });

  it('is followed by another try once the session has its outcome', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, notice: 'declined', advice: 'contact_bank', attempts_left: 4 };
        return lost();
      },
      () => json(approved),
    ];
    await pay();
    await screen.findByText(/Contact your bank/);
    await retry();
    await screen.findByText(en.form.approved_title);
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('polls that are answered late', () => {
  it('do not reopen the form while a payment is in progress', async () => {
    let arrive = () => {};
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const checkout = make(open);
    render(<App checkout={checkout} />);
    fake.held = slow;
    const started = checkout.start();
    fake.answers = [() => new Promise(() => {})];
    await pay();
    await waitFor(() => expect(fake.paid.length).toBe(1));
    arrive();
    await started;
    expect(checkout.state.stage.name).toBe('paying');
    await checkout.submit();
    expect(fake.paid.length).toBe(1);
  });

  it('do not report an older decline when a later try never arrived', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, notice: 'declined', advice: 'contact_bank', attempts_left: 4 };
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
    await screen.findByText(/Contact your bank/);
    await userEvent.type(field(/security code/i), '737');
    await userEvent.click(button());
    await screen.findByText(en.form.not_received);
    expect(results()).toEqual(['declined']);
    expect(new Set(keys()).size).toBe(2);
  });

  it('report a decline whose answer was lost', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, notice: 'declined', advice: 'try_later', attempts_left: 4 };
        return lost();
      },
    ];
    await pay();
    await screen.findByText(/few minutes.*4 more times/);
    expect(field(/security code/i).value).toBe('');
    expect(document.activeElement).toBe(field(/security code/i));
    expect(results()).toEqual(['declined']);
  });
});
