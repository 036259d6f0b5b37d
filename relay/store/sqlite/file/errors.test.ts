import { expect, it } from 'vitest';
import { brokenBy } from './errors.ts';

const failure = (errcode: number) => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });

it.each([
  ['a sync that failed', 1034, 'SQLITE_IOERR_FSYNC'],
  ['a sync of the folder that failed', 1290, 'SQLITE_IOERR_DIR_FSYNC'],
  ['EIO', 8458, 'EIO'],
  ['a full disk', 13, undefined],
  ['a quota that is used up', 778, undefined],
  ['a lock', 5, undefined],
])('the disk is broken after failed syncs and EIO alone: %s', (_, errcode, code) => {
  expect(brokenBy(failure(errcode))).toBe(code);
});
