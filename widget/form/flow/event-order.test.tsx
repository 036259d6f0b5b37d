// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, fillCard, json, lost, open, pix, problem, retry, start } from '../testing.tsx';

const declined = (attempts_left: number) => ({
  status: 'declined',
  advice: 'contact_bank',
  attempts_left,
  result: { code: '1', message: '' },
});

/** What the shop's page heard since the button was pressed first. */
function heard(): string[] {
  const events = fake.posted.map((message) => {
    switch (message.type) {
      case 'change':
        return message.detail.complete ? 'complete' : 'incomplete';
      case 'result':
        return message.detail.status;
      case 'error':
        return message.detail.code;
      default:
        return message.type;
    }
  });
  return events.slice(events.indexOf('submit'));
}

async function payWith(...answers: (typeof fake)['answers']): Promise<void> {
  await start();
  await fillCard();
  expect(fake.posted.at(-1)).toMatchObject({ type: 'change', detail: { complete: true } });
  fake.answers = answers;
  await userEvent.click(button());
}

/** The session that polls return from now on, answered with the payment. */
const becomes = (view: Partial<CheckoutView>, answer: object) => () => {
  fake.view = { ...fake.view, ...view };
  return json(answer);
};

describe('between submit and its result the shop’s page hears no change', () => {
  it('of a payment that is approved, nor afterwards', async () => {
    await payWith(() => json(approved));
    await screen.findByText(en.form.approved_title);
    expect(heard()).toEqual(['submit', 'approved']);
  });

  it('of one that is declined: only then the code is missing', async () => {
    await payWith(
      () => json(declined(1)),
      () => json(approved),
    );
    await screen.findByText(/Your bank declined/);
    expect(heard()).toEqual(['submit', 'declined', 'incomplete']);
    await retry();
    await screen.findByText(en.form.approved_title);
    expect(heard()).toEqual(['submit', 'declined', 'incomplete', 'complete', 'submit', 'approved']);
  });

  it('of the last try', async () => {
    await payWith(() => json(declined(0)));
    await screen.findByText(en.form.failed_title);
    expect(heard()).toEqual(['submit', 'declined', 'failed']);
  });

  it('of a payment that goes on elsewhere', async () => {
    await payWith(() =>
      json({ status: 'redirect', redirect_url: 'https://pay.example/checkout/cs_1/issuer?ticket=t' }),
    );
    await screen.findByText(en.form.leaving_title);
    expect(heard()).toEqual(['submit', 'redirect']);
  });

  it('of one that is unknown, then declined', async () => {
    await payWith(becomes({ status: 'unknown' }, { status: 'unknown' }));
    await screen.findByText(en.form.confirming_title);
    expect(heard()).toEqual(['submit', 'unknown']);
    fake.view = { ...open, notice: 'declined', advice: 'contact_bank', attempts_left: 4 };
    await screen.findByText(/Your bank declined/);
    expect(heard()).toEqual(['submit', 'unknown', 'declined', 'incomplete']);
  });

  it('of a pending payment that another method replaces', async () => {
    const shown: Partial<CheckoutView> = { methods: [{ type: 'card' }, { ...pix, fields: [] }] };
    await start(shown);
    await userEvent.click(screen.getByRole('radio', { name: 'Pix' }));
    const pending = { payment_method: 'PIX', can_abandon: true };
    fake.answers = [becomes({ status: 'pending', pending }, { status: 'pending' })];
    fake.tellAnswers = [() => json({ ...open, ...shown })];
    await userEvent.click(button());
    await userEvent.click(await screen.findByRole('button', { name: en.form.another_way }));
    await screen.findByText(/Do not pay with Pix any more/);
    expect(heard()).toEqual(['submit', 'pending', 'not_paid', 'incomplete']);
  });

  it('of one that failed, unless something is missing now', async () => {
    await payWith(problem(503, 'gateway_unreachable'), lost);
    await screen.findByText(en.form.not_sent);
    expect(heard()).toEqual(['submit', 'gateway_unreachable']);
    await userEvent.click(button());
    await screen.findByText(en.form.not_received);
    expect(heard()).toEqual(['submit', 'gateway_unreachable', 'submit', 'request_lost', 'incomplete']);
  });

  it('of one that was not sent without a network', async () => {
    await start();
    await fillCard();
    fake.offline = true;
    await userEvent.click(button());
    await screen.findByText(en.form.offline);
    expect(heard()).toEqual(['submit', 'offline']);
  });

  it('of a field that the relay refused', async () => {
    await payWith(problem(400, 'invalid_request', [{ path: 'card', message: 'no' }]));
    await waitFor(() => expect(screen.getByText(en.form.field_invalid)).toBeTruthy());
    expect(heard()).toEqual(['submit', 'invalid_request']);
  });
});
