import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needsMonth, STORE_FILE } from './month.ts';

/** A data folder, with a store of earlier orders if `hasStore` is set. */
function dataFolder(hasStore: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-month-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (hasStore) writeFileSync(join(folder, STORE_FILE), '');
  return folder;
}

test('a month is made for a store that had none', () => {
  const folder = dataFolder(true);
  expect(needsMonth(folder, 'new_store')).toBe(false);
  expect(needsMonth(folder, 'any_store')).toBe(true);
  // The next start continues.
  expect(needsMonth(folder, 'new_store')).toBe(true);
});

test('a month that was made is not made again', () => {
  const folder = dataFolder(true);
  writeFileSync(join(folder, 'month.done'), '');
  expect(needsMonth(folder, 'any_store')).toBe(false);
  expect(existsSync(join(folder, 'month'))).toBe(false);
});

test('a new store needs a month, after an earlier store too', () => {
  const folder = dataFolder(false);
  writeFileSync(join(folder, 'month.done'), '');
  expect(needsMonth(folder, 'new_store')).toBe(true);
  expect(existsSync(join(folder, 'month.done'))).toBe(false);
});
