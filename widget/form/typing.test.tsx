// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { hydrate } from 'preact';
import { describe, expect, it } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import { renderCheckout } from './render.tsx';
import { button, fake, field, fillCard, make, open, pix, start } from './testing.tsx';
import { App } from './view/app.tsx';

describe('typing a card', () => {
  it('groups the number, names brand and code, and keeps the caret', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '378282246310005');
    expect(number.value).toBe('3782 822463 10005');
    await waitFor(() => expect(screen.getByText('CID')).toBeTruthy());
    await userEvent.keyboard('{Backspace}');
    number.setSelectionRange(2, 2);
    await userEvent.keyboard('9');
    expect(number.value.startsWith('379')).toBe(true);
    expect(number.selectionStart).toBe(3);
  });

  it('shows an error only after blur, and removes it once corrected', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '4111');
    expect(screen.queryByText(en.form.number_incomplete)).toBeNull();
    await userEvent.tab();
    await waitFor(() => expect(number.getAttribute('aria-invalid')).toBe('true'));
    const error = document.getElementById('error-card');
    expect(error?.textContent).toBe(en.form.number_incomplete);
    expect(number.getAttribute('aria-describedby')).toContain('error-card');
    expect(screen.getByRole('status').textContent).toBe(`${en.form.number}: ${en.form.number_incomplete}`);
    await userEvent.type(number, '111111111111');
    await waitFor(() => expect(error?.textContent).toBe(''));
  });

  it('updates a changed error, and removes it when the field is empty', async () => {
    await start();
    const number = field(/card number/i);
    await userEvent.type(number, '4111111111111112');
    await userEvent.tab();
    const error = document.getElementById('error-card');
    await waitFor(() => expect(error?.textContent).toBe(en.form.number_invalid));
    await userEvent.type(number, '{Backspace}');
    await waitFor(() => expect(error?.textContent).toBe(en.form.number_incomplete));
    await userEvent.clear(number);
    await waitFor(() => expect(error?.textContent).toBe(''));
    await userEvent.tab();
    expect(error?.textContent).toBe('');
  });

  it('removes the security code’s error once the brand allows it', async () => {
    await start();
    await userEvent.type(field(/card number/i), '378282246310005');
    await userEvent.type(field(/security code/i), '737');
    await userEvent.tab();
    const error = document.getElementById('error-security_code');
    await waitFor(() => expect(error?.textContent).toBe('Enter 4 digits'));
    await userEvent.clear(field(/card number/i));
    await userEvent.type(field(/card number/i), '4111111111111111');
    await waitFor(() => expect(error?.textContent).toBe(''));
  });

  it('shows at once that a pasted number has too many digits', async () => {
    await start();
    const number = field(/card number/i);
    const error = document.getElementById('error-card');
    await userEvent.click(number);
    await userEvent.paste('41111111111111112222');
    expect(number.value).toBe('4111 1111 1111 1111 2222');
    await waitFor(() => expect(error?.textContent).toBe('Remove the extra digits'));
    await userEvent.keyboard('3');
    expect(number.value).toBe('4111 1111 1111 1111 2222');
    await userEvent.keyboard('{Backspace>4/}');
    expect(number.value).toBe('4111 1111 1111 1111');
    await waitFor(() => expect(error?.textContent).toBe(''));
  });

  it('takes a pasted security code with spaces around it', async () => {
    await start();
    await userEvent.type(field(/card number/i), '4111111111111111');
    await userEvent.click(field(/security code/i));
    await userEvent.paste(' 737');
    expect(field(/security code/i).value).toBe('737');
  });

  it('refuses a card number as a name, and says why', async () => {
    await start({ methods: [{ type: 'card' }], collect: ['delivery_address'] });
    await fillCard();
    await userEvent.clear(field(/name on card/i));
    await userEvent.type(field(/name on card/i), '4111 1111 1111 1111');
    await userEvent.type(field(/first name/i), '4111-1111-1111-1111');
    await userEvent.type(field(/last name/i), 'Byron 3rd');
    await userEvent.click(button());
    expect(document.getElementById('error-name')?.textContent).toBe(en.form.name_invalid);
    expect(document.getElementById('error-delivery_firstname')?.textContent).toBe(en.form.name_invalid);
    expect(document.getElementById('error-delivery_lastname')?.textContent).toBe('');
    expect(fake.paid).toEqual([]);
  });

  it('sends the page only the brand and whether it is complete', async () => {
    await start();
    await fillCard();
    const changes = fake.posted.filter((message) => message.type === 'change');
    expect(changes.at(-1)?.detail).toEqual({ complete: true, brand: 'visa', payment_method: 'card' });
    expect(JSON.stringify(fake.posted)).not.toMatch(/4111|737|Ada/);
  });
});

describe('before the script starts', () => {
  it('keeps and formats typed values instead of the shop’s', async () => {
    const page = renderCheckout({ view: open, locales: ['en'], allowed_origins: [] });
    document.body.innerHTML = page.body;
    const root = document.getElementById('checkout');
    const number = document.querySelector<HTMLInputElement>('#field-card');
    const name = document.querySelector<HTMLInputElement>('#field-name');
    if (!root || !number || !name) throw new Error('not rendered');
    number.value = '4111111111111111';
    name.value = 'Ada Byron';
    const checkout = make({ ...open, prefill: { first_name: 'Other', last_name: 'Person' } });
    hydrate(<App checkout={checkout} />, root);
    expect(document.querySelector('#field-card')).toBe(number);
    expect(number.value).toBe('4111 1111 1111 1111');
    await checkout.start();
    expect(name.value).toBe('Ada Byron');
    expect(checkout.state.values.card).toBe('4111 1111 1111 1111');
  });

  it('shows the error of a field that was left already', async () => {
    document.body.innerHTML = renderCheckout({ view: open, locales: ['en'], allowed_origins: [] }).body;
    const root = document.getElementById('checkout');
    const [number, expiry] = ['card', 'expiry'].map((name) =>
      document.querySelector<HTMLInputElement>(`#field-${name}`),
    );
    if (!root || !number || !expiry) throw new Error('not rendered');
    number.value = '4111111111111112';
    expiry.value = '1';
    expiry.focus();
    hydrate(<App checkout={make(open)} />, root);
    await waitFor(() => expect(document.getElementById('error-card')?.textContent).toBe(en.form.number_invalid));
    expect(number.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById('error-expiry')?.textContent).toBe('');
    expect(document.getElementById('error-name')?.textContent).toBe('');
  });

  it('adopts the method that was chosen', async () => {
    const shown = { ...open, methods: [{ type: 'card' as const }, { ...pix, fields: [...pix.fields] }] };
    document.body.innerHTML = renderCheckout({ view: shown, locales: ['en'], allowed_origins: [] }).body;
    const root = document.getElementById('checkout');
    const radio = document.querySelector<HTMLInputElement>('input[value="apm PIX"]');
    if (!root || !radio) throw new Error('not rendered');
    radio.checked = true;
    hydrate(<App checkout={make(shown)} />, root);
    await waitFor(() => expect(screen.getByLabelText('CPF / CNPJ')).toBeTruthy());
    expect(radio.checked).toBe(true);
  });
});
