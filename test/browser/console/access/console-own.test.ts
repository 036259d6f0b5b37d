import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeOf, stepAt } from '../../../../relay/console/sign-in/one-time-code.ts';
import { axeFindings, contrast } from '../../../support/browsers/axe.ts';
import { signIn, trySignIn } from '../../../support/operators/console.ts';
import { type ConsoleStack, startConsoleStack } from '../../../support/operators/console-stack.ts';
import { bytesOf, enrol, STEP_MS } from '../../../support/operators/second-factor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const section = (page: Page, name: string) => page.getByRole('region', { name });

/** Presses a button with the keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await button(page, name).focus();
  await page.keyboard.press('Enter');
}

/** Types into the focused field and submits the form. A code is computed at that moment. */
async function type(page: Page, label: string, text: string | (() => string)): Promise<void> {
  await expect
    .poll(() => page.getByLabel(label, { exact: true }).evaluate((it) => it === document.activeElement))
    .toBe(true);
  await page.keyboard.type(typeof text === 'string' ? text : text());
  await page.keyboard.press('Enter');
}

/** The findings of axe for a page state, in both themes, on a desktop and a phone. */
async function looksGood(page: Page): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await axeFindings(page)).toEqual([]);
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect([width, isWider]).toEqual([width, false]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await axeFindings(page, contrast)).toEqual([]);
}

/** Sets up a second factor with the keyboard, once the password is requested. Returns the secret in the app. */
async function setUp(page: Page, { relay }: ConsoleStack): Promise<() => string> {
  await type(page, 'Current password', 'ada’s');
  await page.getByAltText('QR code for an authenticator app').waitFor();
  await looksGood(page);
  const link = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href');
  const secret = bytesOf(new URL(link ?? '').searchParams.get('secret') ?? '');
  const code = (): string => codeOf(secret, stepAt(relay.context.now()));
  const wrong = code() === '000000' ? '000001' : '000000';
  await type(page, 'Code of the app', wrong);
  await page.getByRole('alert').getByText('This code is wrong').waitFor();
  await page.keyboard.press('Control+A');
  await type(page, 'Code of the app', code);
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  expect(await page.locator('.recovery-codes li').count()).toBe(10);
  await looksGood(page);
  await press(page, 'I have kept them');
  relay.pass(STEP_MS);
  return code;
}

describe('Your sign-in', () => {
  it('sets up a second factor by keyboard for the next sign-in', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/orders');
    await page.getByRole('link', { name: /Ada/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
    await looksGood(page);
    await press(page, 'Set up');
    const code = await setUp(page, stack);
    await section(page, 'Second factor').getByText('10 recovery codes left.').waitFor();
    await looksGood(page);
    await press(page, 'Sign out');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').waitFor();
    await looksGood(page);
    await page.keyboard.type('0000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This code is wrong').waitFor();
    await looksGood(page);
    await page.keyboard.type(code());
    await page.keyboard.press('Enter');
    await page.locator('.shell').waitFor();
  });

  it('makes new recovery codes and removes the second factor', async () => {
    const stack = await startConsoleStack();
    const { code } = await enrol(stack.relay, await signIn(stack.relay));
    const page = (await stack.open('/console/sign-in')).page;
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    await type(page, 'Code', code);
    const factor = section(page, 'Second factor');
    for (const [name, done] of [
      ['New recovery codes', 'Keep them where you find them'],
      ['Remove', 'Your password alone is enough to sign in.'],
    ] as const) {
      stack.relay.pass(STEP_MS);
      await press(page, name);
      await looksGood(page);
      await page.getByLabel('Current password').fill('ada’s');
      await page.getByLabel('Code').fill(code());
      await page.keyboard.press('Enter');
      await factor.getByText(done).waitFor();
      if (name !== 'Remove') await press(page, 'I have kept them');
    }
    expect(await trySignIn(stack.relay, 'Ada', 'ada’s')).toMatchObject({ status: 200 });
  });

  it('ends one other sign-in, then all others', async () => {
    const stack = await startConsoleStack();
    const others = [await signIn(stack.relay), await signIn(stack.relay), await signIn(stack.relay)];
    const page = await stack.person('/console/demo/sign-in');
    const rows = section(page, 'Sign-ins').getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(4);
    expect(await rows.filter({ hasText: 'This one' }).count()).toBe(1);
    await button(page, /^End the sign-in of/)
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByText('Ended.').waitFor();
    await press(page, 'End all others');
    await expect.poll(() => rows.count()).toBe(1);
    for (const one of others) expect(await one.get('/console/api/me')).toMatchObject({ status: 401 });
    await looksGood(page);
  });

  it('changes the password and stays signed in', async () => {
    const stack = await startConsoleStack();
    const page = await stack.person('/console/sign-in');
    await press(page, 'Change password');
    await looksGood(page);
    const fill = async (password: string, chosen: string, again: string): Promise<void> => {
      await page.getByLabel('Current password').fill(password);
      await page.getByLabel('New password', { exact: true }).fill(chosen);
      await page.getByLabel('New password again').fill(again);
      await page.keyboard.press('Enter');
    };
    for (const [password, chosen, again, message] of [
      ['ada’s', 'correct horse 7', 'correct horse 8', 'The new passwords differ.'],
      ['ada’s', 'short', 'short', 'Choose another new password'],
      ['x', 'correct horse 7', 'correct horse 7', 'The current password is wrong.'],
    ] as const) {
      await fill(password, chosen, again);
      await page.getByRole('alert').getByText(message).waitFor();
    }
    await looksGood(page);
    await fill('ada’s', 'correct horse 7', 'correct horse 7');
    await page.getByText('Password changed.').waitFor();
    await looksGood(page);
    // The page continues with its new token.
    await press(page, 'Sign out');
    await page.getByLabel('Name').waitFor();
    expect(await trySignIn(stack.relay, 'Ada', 'correct horse 7')).toMatchObject({ status: 200 });
  });
});

it('a person who must set up a second factor sees only that', async () => {
  const stack = await startConsoleStack({ console: { second_factor: 'required' } });
  const { page } = await stack.open('/console/orders');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  expect(await page.locator('.shell').count()).toBe(0);
  await page.getByLabel('Current password').waitFor();
  await looksGood(page);
  await setUp(page, stack);
  await page.locator('.shell').waitFor();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
});

it('a person with an expired sign-in enters the code in the dialog', async () => {
  const stack = await startConsoleStack();
  const { code } = await enrol(stack.relay, await signIn(stack.relay));
  const { page } = await stack.open('/console/sign-in');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await type(page, 'Code', code);
  await section(page, 'Sign-ins').waitFor();
  stack.expireSignIns();
  await page.getByRole('link', { name: 'Orders' }).click();
  const again = page.getByRole('dialog');
  await again.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await again.getByLabel('Code').waitFor();
  await looksGood(page);
  await page.keyboard.type(code());
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
});

it('a person locked out by others signs in with a recovery code', async () => {
  const stack = await startConsoleStack();
  const { codes } = await enrol(stack.relay, await signIn(stack.relay));
  const { page } = await stack.open('/console');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  const { count } = stack.relay.context.store.quotas;
  // As after guesses from many addresses: only the limit for the name is used up.
  let limited = 1;
  stack.relay.context.store.quotas.count = async (quotas, at) =>
    limited-- > 0
      ? { kind: 'limited', limit: 'sign_in', until: new Date(Date.parse(at) + 600_000).toISOString() }
      : count(quotas, at);
  await stack.relay.context.store.credentials.forgetNetworks('9', 10);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Too many tries.').waitFor();
  await looksGood(page);
  await press(page, 'Use a recovery code');
  await type(page, 'Code', codes[0] ?? '');
  await page.locator('.shell').waitFor();
});
