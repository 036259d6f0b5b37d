import { expect, test } from 'vitest';
import { DAY, withSubscription } from '../testing.ts';

test('a cancelled subscription is inactive at once, and charges its current period', async () => {
  const { clock, numbers, unsubscribe, recurringStatus, recurring_id } = await withSubscription();
  clock.advance(1.5 * DAY);
  expect(await unsubscribe()).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    recurring_id,
    contract_name: 'Tea club',
    cancel_status: '1',
    error_message: '',
    encryption_data: expect.any(String),
  });
  expect(await recurringStatus()).toBe('0');
  clock.advance(10 * DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R2', 'S-1-R3']);
});

test('the current period is not charged when a person cancels it', async () => {
  const { clock, numbers, unsubscribe, admin, recurring_id } = await withSubscription();
  await unsubscribe();
  expect(await admin('POST', `contracts/${recurring_id}/periods/cancel`)).toMatchObject({ status: 200 });
  clock.advance(10 * DAY);
  expect(numbers()).toEqual(['S-1']);
});

test('a period cancelled by hand is skipped, and the next is charged', async () => {
  const { clock, numbers, admin, recurring_id } = await withSubscription();
  await admin('POST', `contracts/${recurring_id}/periods/cancel`);
  clock.advance(2 * DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R3']);
  expect(await admin('POST', 'contracts/missing/periods/cancel')).toMatchObject({ status: 404 });
});

test('a subscription cancelled before it began is never charged', async () => {
  const { clock, numbers, unsubscribe } = await withSubscription({ contract_start: '2026-12-01' });
  await unsubscribe();
  clock.advance(100 * DAY);
  expect(numbers()).toEqual(['S-1']);
});

test('a subscription is cancelled once, and only by its right name', async () => {
  const { unsubscribe, recurringStatus } = await withSubscription();
  expect(await unsubscribe({ contract_name: 'Coffee club' })).toMatchObject({
    cancel_status: '0',
    error_message: 'The subscription has another contract_name',
  });
  expect(await recurringStatus()).toBe('1');
  expect(await unsubscribe({ contract_name: 'Tea club' })).toMatchObject({ cancel_status: '1', error_message: '' });
  expect(await unsubscribe()).toMatchObject({
    cancel_status: '0',
    error_message: 'The subscription is already cancelled',
  });
  expect(await unsubscribe({ recurring_id: 'missing' })).toMatchObject({
    recurring_id: 'missing',
    cancel_status: '0',
    error_message: 'No such subscription',
  });
});
