// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { approved, button, fake, field, fillCard, json, lost, open, pay, pix, problem, start } from '../testing.tsx';

const declined = {
  status: 'declined',
  result: { code: '2001', message: '' },
  advice: 'contact_bank',
  attempts_left: 4,
};
const boleto = { type: 'apm', payment_method: 'BOLETO', label: 'Boleto' } as const;

describe('a device without network', () => {
  it('sends nothing, says so, keeps typed values, and pays when online', async () => {
    await start();
    await fillCard();
    fake.offline = true;
    await userEvent.click(button());
    const said = await screen.findByText(en.form.offline);
    // No field is wrong, so the message is at the button.
    expect(said.parentElement?.nextElementSibling).toBe(button());
    expect(fake.paid).toEqual([]);
    expect(field(/security code/i).value).toBe('737');
    expect(fake.posted.at(-1)).toEqual({ type: 'error', detail: { code: 'offline', message: en.form.offline } });
    fake.offline = false;
    fake.answers = [() => json(approved)];
    await userEvent.click(button());
    await screen.findByText(en.form.approved_title);
    expect(fake.paid.length).toBe(1);
  });

  it('is no longer called offline once it is online', async () => {
    const checkout = await start();
    await fillCard();
    fake.offline = true;
    await userEvent.click(button());
    await screen.findByText(en.form.offline);
    await checkout.refresh();
    screen.getByText(en.form.offline);
    fake.offline = false;
    await checkout.refresh();
    await screen.findByText(en.form.not_sent);
    expect(screen.queryByText(en.form.offline)).toBeNull();
  });

  it('that is online despite what the browser says pays', async () => {
    const checkout = await start();
    checkout.platform.online = () => false;
    fake.answers = [() => json(approved)];
    await pay();
    await screen.findByText(en.form.approved_title);
  });

  it('is shown only while a payment is being confirmed', async () => {
    await start();
    fake.answers = [
      () => {
        fake.offline = true;
        return lost();
      },
    ];
    await pay();
    await screen.findByText(en.form.no_connection);
    screen.getByText(en.form.confirming_title);
    fake.view = { ...open, status: 'unknown' };
    fake.offline = false;
    await waitFor(() => expect(screen.queryByText(en.form.no_connection)).toBeNull());
    fake.view = { ...open, status: 'approved' };
    await screen.findByText(en.form.approved_title);
    expect(fake.paid.length).toBe(1);
  });
});

it('a shopper who waits long sees a notice until the answer comes', async () => {
  await start();
  fake.patience = Number.POSITIVE_INFINITY;
  let answer = (_: Response): void => {};
  fake.answers = [
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  ];
  await pay();
  await screen.findByText(en.form.paying_long);
  answer(json(declined));
  await screen.findByText(new RegExp(en.form.declined_contact_bank));
  expect(screen.queryByText(en.form.paying_long)).toBeNull();
});

describe('the other ways to pay', () => {
  const methods = [{ type: 'card' as const }, { ...pix, fields: [...pix.fields] }, boleto];

  it('are offered in place beside a decline, and taken with one press', async () => {
    await start({ methods });
    expect(screen.queryByRole('button', { name: 'Pay with Pix' })).toBeNull();
    fake.answers = [() => json(declined)];
    await pay();
    await userEvent.click(await screen.findByRole('button', { name: 'Pay with Pix' }));
    const radio = screen.getByRole<HTMLInputElement>('radio', { name: 'Pix' });
    expect(radio.checked).toBe(true);
    expect(document.activeElement).toBe(radio);
    screen.getByLabelText('CPF / CNPJ');
    screen.getByRole('button', { name: 'Pay with Card' });
    screen.getByRole('button', { name: 'Pay with Boleto' });
    await userEvent.click(screen.getByRole('button', { name: 'Pay with Card' }));
    expect(field(/card number/i).value).toBe('4111 1111 1111 1111');
  });

  it('are not offered while the order is being paid elsewhere', async () => {
    await start({ methods });
    fake.answers = [problem(409, 'order_in_progress')];
    await pay();
    await screen.findByText(en.form.order_in_progress);
    expect(screen.queryByRole('button', { name: 'Pay with Pix' })).toBeNull();
  });

  it.each(['check_details', 'try_later'])('are not offered where the same card is to be tried: %s', async (advice) => {
    await start({ methods });
    fake.answers = [() => json({ ...declined, advice })];
    await pay();
    await screen.findByText(/You can try 4 more times/);
    expect(screen.queryByRole('button', { name: 'Pay with Pix' })).toBeNull();
  });

  it('are not offered where there is none', async () => {
    await start();
    fake.answers = [() => json(declined)];
    await pay();
    await screen.findByText(new RegExp(en.form.declined_contact_bank));
    expect(screen.getAllByRole('button')).toEqual([button()]);
  });

  it('open with the one that was tried last', async () => {
    await start({ methods, last_method: 'BOLETO', notice: 'not_paid' });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Boleto' }).checked).toBe(true);
    screen.getByRole('button', { name: 'Pay with Card' });
  });
});

it('“not paid yet” is no error, and offers the other ways', async () => {
  await start({ methods: [{ type: 'card' }, boleto], notice: 'not_paid' });
  const message = screen.getByText(en.form.not_paid);
  expect(message.className).toBe('message calm');
  expect(screen.getByRole('button', { name: 'Pay with Boleto' })).toBeTruthy();
});

it.each([
  [problem(503, 'gateway_unreachable'), '737'],
  [() => json(declined), ''],
])('dots replace the security code while paying, and disappear afterwards', async (answer, left) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await start();
  fake.answers = [() => held.then(answer)];
  await pay();
  await waitFor(() => expect(field(/security code/i).value).toBe('•••'));
  arrive();
  await waitFor(() => expect(field(/security code/i).readOnly).toBe(false));
  expect(field(/security code/i).value).toBe(left);
});
