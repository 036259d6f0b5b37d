import { describe, expect, it } from 'vitest';
import { approvedBy, declinedOf, type Resolving, record, setUpResolving } from '../../test/support/resolving.ts';
import type { Session } from '../payments/session.ts';
import { isWorthALook } from './look.ts';

const types = async ({ webhooks }: Resolving, session: Session): Promise<string[]> =>
  (await webhooks(session)).map(({ type }) => type);

describe('an attempt that was declined', () => {
  it('is approved late when the gateway proves that its own transaction was paid after all', async () => {
    for (const own of ['T1', undefined]) {
      const relay = await setUpResolving({ limits: { attempts_per_session: 1 } });
      const { books, session, pay, notify, truth, webhooks } = relay;
      const failed = await session('A');
      await pay(failed, declinedOf(own));
      expect(await truth(failed)).toMatchObject({ status: 'failed' });
      books.records = [record('A', 'T1', '3000')];
      await notify(failed);
      expect(await truth(failed)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
      expect((await webhooks(failed)).at(-1)).toMatchObject({ type: 'session.approved', data: { late: true } });
    }
  });

  it('is not approved by another transaction, and not touched by anything less than a payment', async () => {
    const relay = await setUpResolving();
    const { books, session, pay, notify, stored } = relay;
    const open = await session('A');
    await pay(open, declinedOf('T1'));
    const { version } = await stored(open.id);
    for (const records of [[], [record('A', 'T9', '3000')], [record('A', 'T1', '4100')], [record('A', 'T1', '77')]]) {
      books.records = records;
      await notify(open);
      expect(await stored(open.id)).toMatchObject({ version, state: { status: 'open' } });
    }
    expect(await types(relay, open)).toEqual(['session.declined']);
  });

  it('keeps nobody from paying another way while its own record has a code that is not listed', async () => {
    const { books, session, leave, pay, notify } = await setUpResolving();
    const open = await session('A');
    await leave(open);
    await pay(open, declinedOf('T2'));
    books.records = [record('A', 'T2', '77')];
    expect(await notify(open)).toEqual({ counts: true, undecided: false });
    books.records = [record('A', 'T1', '77')];
    expect(await notify(open)).toEqual({ counts: true, undecided: true });
  });

  it('is no reason to ask the gateway each time that its shopper opens the form', async () => {
    const { context, session, leave, pay, pass, stored } = await setUpResolving();
    const [declined, left] = [await session('A'), await session('B')];
    await pay(declined, declinedOf('T1'));
    expect(await isWorthALook(context, await stored(declined.id))).toBe(false);
    await leave(left);
    expect(await isWorthALook(context, await stored(left.id))).toBe(true);
    pass(1);
    await pay(left, approvedBy('T2'));
    expect(await isWorthALook(context, await stored(left.id))).toBe(false);
  });
});
