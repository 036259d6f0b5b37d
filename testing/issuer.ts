import type { Page } from 'playwright-core';

/** Approves the payment on the sandbox's issuer page, and returns to the shop. */
export async function approveAtIssuer(page: Page): Promise<void> {
  await decide(page, 'approve');
}

/** Refuses the payment on the sandbox's issuer page, and returns to the shop. */
export async function declineAtIssuer(page: Page): Promise<void> {
  await decide(page, 'refuse');
}

/** Takes a voucher on the sandbox's issuer page, to pay later, and returns to the shop. */
export async function payLaterAtIssuer(page: Page): Promise<void> {
  await decide(page, 'pay_later');
}

/** Leaves the issuer's page by the back button, without a decision. */
export async function leaveIssuer(page: Page): Promise<void> {
  await button(page, 'approve').waitFor();
  await page.goBack();
}

type Choice = 'approve' | 'refuse' | 'pay_later';

async function decide(page: Page, choice: Choice): Promise<void> {
  await button(page, choice).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/issuer/'), { waitUntil: 'domcontentloaded' });
}

function button(page: Page, choice: Choice) {
  return page.locator(`button[name="choice"][value="${choice}"]`);
}
