// @vitest-environment jsdom
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { approved, fake, field, json, results, start } from '../testing.tsx';
import { leadOn } from './next-field.ts';

const number = () => field(/card number/i);
const expiry = () => field(/expiry/i);
const code = () => field(/security code/i);
const name = () => field(/name on card/i);

describe('the next field', () => {
  let isTouch = true;
  beforeEach(() => {
    isTouch = true;
    vi.stubGlobal('matchMedia', () => ({ matches: isTouch }));
  });
  afterEach(() => void vi.unstubAllGlobals());

  const begin = async () => {
    const checkout = await start();
    // Only this test's form, because the document has the listeners of every test.
    leadOn(number().closest('form') ?? document.body, checkout);
  };

  it('gets the focus once number and date are complete', async () => {
    await begin();
    await userEvent.type(number(), '411111111111111');
    expect(document.activeElement).toBe(number());
    await userEvent.keyboard('1');
    expect(document.activeElement).toBe(expiry());
    await userEvent.keyboard('1230');
    expect(document.activeElement).toBe(code());
  });

  it('does not if the number may be longer, is corrected, or pasted', async () => {
    await begin();
    await userEvent.type(number(), '6200000000000005');
    expect(document.activeElement).toBe(number());
    await userEvent.clear(number());
    await userEvent.type(number(), '411111111111111');
    await userEvent.type(number(), '1', { initialSelectionStart: 4, initialSelectionEnd: 4 });
    expect(document.activeElement).toBe(number());
    await userEvent.clear(number());
    await userEvent.paste('4111111111111111');
    expect(document.activeElement).toBe(number());
  });

  it('does not on devices with a Tab key', async () => {
    isTouch = false;
    await begin();
    await userEvent.type(number(), '4111111111111111');
    expect(document.activeElement).toBe(number());
  });

  it('does not if it is filled in already', async () => {
    await begin();
    await userEvent.type(expiry(), '1230');
    await userEvent.type(number(), '4111111111111111');
    expect(document.activeElement).toBe(number());
  });

  it('gets the focus by Enter while empty; then Enter pays', async () => {
    await begin();
    fake.answers = [() => json(approved)];
    await userEvent.type(name(), 'Ada Byron{Enter}');
    expect(document.activeElement).toBe(number());
    expect(number().enterKeyHint).toBe('next');
    await userEvent.keyboard('4111111111111111');
    await userEvent.keyboard('1230');
    expect(code().enterKeyHint).toBe('go');
    await userEvent.keyboard('737{Enter}');
    await expect.poll(results).toEqual(['approved']);
  });

  it('gets the focus by Enter in each part of a date', async () => {
    const checkout = await start({ collect: ['birth_date', 'document'] });
    leadOn(number().closest('form') ?? document.body, checkout);
    await userEvent.type(field(/month/i), '2{Enter}');
    expect(document.activeElement).toBe(field(/day/i));
    await userEvent.keyboard('3{Enter}1985{Enter}');
    expect(document.activeElement).toBe(field(/document number|cpf/i));
    await userEvent.click(field(/year/i));
    expect(field(/year/i).enterKeyHint).toBe('next');
  });
});
