import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { operation, refund, spellingsOf } from '../../../test/store/fixtures.ts';
import { sharedPostgres } from '../../../test/support/stores/postgres.ts';
import { openPostgres } from './open.ts';

beforeAll(async () => void (await sharedPostgres()));

it('finds forms of transactions alike whatever the locale of the database', async () => {
  const postgres = await sharedPostgres();
  const template = await postgres.database();
  // In Turkish the small letter of I has no dot, and every locale but C knows the small letter of Ä.
  await postgres.query(template, "CREATE DATABASE turkish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'");
  const store = await openPostgres(postgres.addressOf('turkish'));
  onTestFinished(() => store.close());
  const ids = ['TID-I', 'tid-Ä', 'İ-1'];
  const refunds = ids.map((id) => refund(1n, 1000n, 'BRL', id));
  expect(await store.operations.begin(operation('op_1'), refunds)).toEqual({ kind: 'begun' });
  expect(await spellingsOf(store, 'demo', ...ids.map((id) => ` ${id}`))).toEqual(ids);
  expect(await spellingsOf(store, 'demo', 'tıd-ı', 'tid-ä', 'i̇-1')).toEqual([undefined, undefined, undefined]);
});
