import { expect, it } from 'vitest';
import { at } from '../../../test/store/fixtures.ts';
import { StoreError } from '../../base/errors.ts';
import { localReader } from './reader.ts';

it('rejects with StoreError in this thread too', async () => {
  const fail = async (): Promise<never> => Promise.reject(new SyntaxError('not JSON'));
  const reads = { payments: fail, refunds: fail, rightTallies: fail, tallies: fail, changes: fail, oldest: fail };
  const reader = localReader({ ...reads, attempts: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }) });
  const search = { account: 'demo', by: 'hour', from: at(0), to: at(3600) } as const;
  await expect(reader.figures(search)).rejects.toThrow(StoreError);
  await expect(reader.step({ since: '', until: '', claimed: at(0), version: 1 })).rejects.toThrow(StoreError);
});
