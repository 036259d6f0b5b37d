// @vitest-environment jsdom
import { screen } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { button, field, fillCard, start } from '../../testing.tsx';

const status = () => screen.getAllByRole('status')[0]?.textContent;

describe('the wrong fields', () => {
  it('are counted once in one live region if there are several', async () => {
    await start({ collect: ['email', 'phone'] });
    await userEvent.click(button());
    expect(document.querySelectorAll('.error[aria-live]').length).toBe(0);
    expect(status()).toBe('Check the 6 marked fields.');
    expect(document.activeElement).toBe(field(/card number/i));
    expect(document.getElementById('error-shopper_email')?.textContent).toBe('Enter your email');
    expect(document.getElementById('error-shopper_phone')?.textContent).toBe('Enter your phone number');
  });

  it('are read out with their label once the shopper leaves one', async () => {
    await start({ collect: ['email'] });
    await userEvent.type(field(/card number/i), '4111 1111 1111 1112');
    await userEvent.tab();
    expect(status()).toBe(`${en.form.number}: ${en.form.number_invalid}`);
    await userEvent.type(field(/email/i), 'ada');
    await userEvent.tab();
    expect(status()).toBe(`${en.fields.email}: ${en.fields.email_invalid}`);
  });

  it('are not read out twice if the only one is focused', async () => {
    await start({ collect: ['email'] });
    await fillCard();
    await userEvent.click(button());
    expect(document.activeElement).toBe(field(/email/i));
    expect(status()).toBe('');
  });

  it('without a text of their own have their label in it', async () => {
    await start({ collect: ['document'] });
    await userEvent.click(button());
    expect(document.getElementById('error-document')?.textContent).toBe('Fill in “CPF / CNPJ”');
  });
});
