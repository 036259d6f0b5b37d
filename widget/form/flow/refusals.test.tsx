// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, json, open, pay, problem, results, start } from '../testing.tsx';

/** The messages to the shop's page since the press, except changes of fields. */
const eventsAfterSubmit = () => {
  const heard = fake.posted.filter(({ type }) => type !== 'change');
  return heard.slice(heard.findIndex(({ type }) => type === 'submit') + 1);
};

describe('refusals', () => {
  it('gateway_unreachable: not charged, try again', async () => {
    await start();
    fake.answers = [problem(503, 'gateway_unreachable')];
    await pay();
    await screen.findByText(en.form.not_sent);
    expect(fake.posted).toContainEqual({
      type: 'error',
      detail: { code: 'gateway_unreachable', message: en.form.not_sent },
    });
    expect(fake.polls).toBe(1);
  });

  it('session_changed: shows the new amount and says so', async () => {
    await start();
    fake.view = { ...open, amount: '150.00', revision: 2 };
    fake.answers = [problem(409, 'session_changed'), () => json(approved)];
    await pay();
    await screen.findByText(/amount is now R\$150\.00/);
    expect(eventsAfterSubmit()).toEqual([
      {
        type: 'error',
        detail: { code: 'session_changed', message: 'The amount is now R$150.00. Check it before you pay.' },
      },
    ]);
    expect(button().textContent).toBe('Pay R$150.00');
    button().click();
    await screen.findByText(en.form.approved_title);
    expect(fake.paid[1]?.body.revision).toBe(2);
  });

  it.each([
    ['session_changed', 409, '737'],
    ['gateway_unreachable', 503, '737'],
    ['too_many_attempts', 429, '737'],
    ['attempt_in_flight', 409, ''],
    ['store_unavailable', 503, ''],
  ])('%s leaves the security code in its field only if unsent', async (code, status, left) => {
    await start();
    fake.answers = [problem(status, code)];
    await pay();
    await waitFor(() => expect(button().textContent).toMatch(/^Pay /));
    expect(field(/security code/i).value).toBe(left);
  });

  it.each([
    ['order_already_paid', en.form.order_already_paid],
    ['order_in_progress', en.form.order_in_progress],
    ['attempt_in_flight', en.form.not_received],
  ])('%s with an open session is said', async (code, text) => {
    await start();
    fake.answers = [problem(409, code)];
    await pay();
    await screen.findByText(text);
    expect(eventsAfterSubmit()).toEqual([{ type: 'error', detail: { code, message: text } }]);
  });

  it('raises session_changed for a note, which changes no amount', async () => {
    await start();
    fake.view = { ...open, revision: 2 };
    fake.answers = [problem(409, 'session_changed')];
    await pay();
    await screen.findByText(en.form.order_changed);
    const detail = { code: 'session_changed', message: en.form.order_changed };
    expect(eventsAfterSubmit()).toEqual([{ type: 'error', detail }]);
  });

  it('raises the error once while another payment is in flight', async () => {
    await start();
    fake.view = { ...open, status: 'processing' };
    fake.answers = [problem(409, 'attempt_in_flight')];
    await pay();
    await screen.findByText(en.form.confirming_title);
    const detail = { code: 'attempt_in_flight', message: en.form.order_in_progress };
    await waitFor(() => expect(fake.polls).toBeGreaterThan(4));
    expect(eventsAfterSubmit()).toEqual([{ type: 'error', detail }]);
    fake.view = { ...open, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(results()).toEqual(['approved']);
  });

  it('session_final shows the outcome of the session', async () => {
    await start();
    fake.answers = [
      () => {
        fake.view = { ...fake.view, status: 'expired' };
        return problem(409, 'session_final')();
      },
    ];
    await pay();
    await screen.findByText(en.form.expired_title);
  });

  it('puts errors at their fields', async () => {
    await start();
    fake.answers = [problem(400, 'invalid_request', [{ path: 'expiration_year', message: 'relay text' }])];
    await pay();
    await waitFor(() => expect(document.getElementById('error-expiry')?.textContent).toBe(en.form.field_invalid));
    expect(document.activeElement).toBe(field(/expiry/i));
    expect(document.body.textContent).not.toContain('relay text');
  });

  it('shows an error at the form if no field has it', async () => {
    await start();
    fake.answers = [problem(400, 'invalid_request', [{ path: 'device', message: '' }])];
    await pay();
    await screen.findByText(en.form.not_accepted);
  });

  it('a wrong secret is a broken link', async () => {
    await start();
    fake.answers = [problem(401, 'unauthorized')];
    await pay();
    await screen.findByText(en.form.broken_title);
  });
});
