// @vitest-environment jsdom

import { zones } from 'virtual:phone-zones';
import { waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { field, start } from '../../testing.tsx';

it('formats a number typed before its metadata loads, and keeps the caret', async () => {
  const { 5: load } = zones;
  if (!load) throw new Error('There is no zone of Brazil');
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(zones, { 5: () => promise.then(load) });
  await start({ collect: ['phone'] });
  const phone = field(/phone/i);
  await userEvent.type(phone, '11961234567');
  expect(phone.value).toBe('11961234567');
  phone.setSelectionRange(3, 3);
  resolve();
  await waitFor(() => expect(phone.value).toBe('(11) 96123-4567'));
  expect(phone.selectionStart).toBe('(11) 9'.length);
  await userEvent.keyboard('{Backspace}8');
  expect(phone.value).toBe('(11) 86123-4567');
});
