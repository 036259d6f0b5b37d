import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

test('a data folder has one sandbox at a time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(
    `Another sandbox uses the folder ${folder}. Stop it, or use another folder.`,
  );
  first[Symbol.dispose]();
  lockFolder(folder)[Symbol.dispose]();
});
