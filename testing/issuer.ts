import type { Page } from 'playwright-core';

/** The shopper approves the payment on the sandbox's issuer page, and is back in the shop. */
export async function approveAtIssuer(page: Page): Promise<void> {
  await decide(page, 'approve');
}

/** The shopper refuses the payment on the sandbox's issuer page, and is back in the shop. */
export async function declineAtIssuer(page: Page): Promise<void> {
  await decide(page, 'refuse');
}

/** The shopper leaves the issuer's page by the back button, without a decision. */
export async function leaveIssuer(page: Page): Promise<void> {
  await button(page, 'approve').waitFor();
  await page.goBack();
}

async function decide(page: Page, choice: 'approve' | 'refuse'): Promise<void> {
  await button(page, choice).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/issuer/'), { waitUntil: 'domcontentloaded' });
}

function button(page: Page, choice: 'approve' | 'refuse') {
  return page.locator(`button[name="choice"][value="${choice}"]`);
}
