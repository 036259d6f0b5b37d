import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromiumOptions } from './chromium.ts';

/** Opens a browser whose user has set these preferences. */
export async function browserThat(
  preferences: object,
  locale = 'en-GB',
): Promise<{ page: Page; complaints: string[] }> {
  const profile = await mkdtemp(join(tmpdir(), 'turnpike-profile-'));
  await mkdir(join(profile, 'Default'));
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions(),
    locale,
  });
  onTestFinished(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  });
  const [page = await context.newPage()] = context.pages();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}
