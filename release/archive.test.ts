import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packed, sha256Of, sumsOf } from './archive.ts';

/** A folder `thing` with these files, written in this order, in a new folder. */
function folderWith(files: [string, string][], mode: number, time: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'turnpike-archive-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  mkdirSync(join(parent, 'thing'));
  for (const [name, text] of files) {
    const path = join(parent, 'thing', name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    utimesSync(path, time, time);
  }
  return parent;
}

it('packs the same files into the same bytes', () => {
  const one = folderWith(
    [
      ['a', '1'],
      ['b', '2'],
    ],
    0o644,
    1_000_000_000,
  );
  const other = folderWith(
    [
      ['b', '2'],
      ['a', '1'],
    ],
    0o600,
    1_700_000_000,
  );
  const changed = folderWith(
    [
      ['b', '3'],
      ['a', '1'],
    ],
    0o644,
    1_000_000_000,
  );
  expect(sha256Of(packed(one, 'thing'))).toBe(sha256Of(packed(other, 'thing')));
  expect(sha256Of(packed(one, 'thing'))).not.toBe(sha256Of(packed(changed, 'thing')));
});

it('keeps which files can be executed', () => {
  const plain = folderWith([['a', '1']], 0o644, 0);
  const command = folderWith([['a', '1']], 0o755, 0);
  expect(sha256Of(packed(plain, 'thing'))).not.toBe(sha256Of(packed(command, 'thing')));
});

it('sums files as sha256sum does', () => {
  const parent = folderWith([['a', '']], 0o644, 0);
  expect(sumsOf([join(parent, 'thing/a')])).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n',
  );
});
