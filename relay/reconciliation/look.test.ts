import { describe, expect, it } from 'vitest';
import { lost, MINUTE, record, SECOND, setUpResolving } from '../../test/support/resolving.ts';
import { lookForShopper } from './look.ts';

async function setUp() {
  const relay = await setUpResolving();
  const session = await relay.session('A');
  const comeBack = async () => lookForShopper(relay.context, await relay.stored(session.id));
  return { ...relay, session, comeBack };
}

describe('a shopper who is back', () => {
  it('is worth one query in two seconds while the outcome is unknown, and puts off no look of the resolver', async () => {
    const { session, comeBack, pay, pass, stored, queries } = await setUp();
    await pay(session, lost);
    const due = (await stored(session.id)).state;
    for (let reloads = 0; reloads < 20; reloads++) {
      await comeBack();
      pass(SECOND / 4);
    }
    expect(queries).toHaveLength(3);
    const { next_look_at, looks } = due.status === 'unknown' ? due.search : {};
    expect((await stored(session.id)).state).toMatchObject({ search: { next_look_at, looks, absent_looks: 3 } });
  });

  it('is worth one query in two seconds where a payment was left, and sees it when it is paid', async () => {
    const { books, session, comeBack, leave, pass, queries } = await setUp();
    await leave(session);
    pass(MINUTE);
    const before = queries.length;
    for (let reloads = 0; reloads < 20; reloads++) {
      expect(await comeBack()).toMatchObject({ state: { status: 'open' } });
      pass(SECOND / 4);
    }
    expect(queries).toHaveLength(before + 3);
    books.records = [record('A', 'T1', '3000')];
    pass(2 * SECOND);
    expect(await comeBack()).toMatchObject({ state: { status: 'approved' } });
  });

  it('is looked for at once when the look before changed the session', async () => {
    const { books, session, comeBack, pay, queries } = await setUp();
    await pay(session, { kind: 'redirect', issuer_url: 'https://bank.example/' });
    expect(await comeBack()).toMatchObject({ state: { status: 'open', notice: 'not_paid' } });
    books.records = [record('A', 'T1', '3000')];
    expect(await comeBack()).toMatchObject({ state: { status: 'approved' } });
    expect(queries).toHaveLength(2);
  });
});
