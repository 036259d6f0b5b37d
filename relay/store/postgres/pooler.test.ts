import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventBehaviour } from '../../../test/store/events.ts';
import { keyBehaviour } from '../../../test/store/keys.ts';
import { notificationBehaviour } from '../../../test/store/notifications.ts';
import { operationBehaviour } from '../../../test/store/operations/operations.ts';
import { refundBehaviour } from '../../../test/store/operations/refunds.ts';
import { leaseBehaviour } from '../../../test/store/orders/leases.ts';
import { orderBehaviour } from '../../../test/store/orders/orders.ts';
import { quotaBehaviour } from '../../../test/store/orders/quotas.ts';
import { sessionBehaviour } from '../../../test/store/orders/sessions.ts';
import { transactionBehaviour } from '../../../test/store/orders/transactions.ts';
import { writeBehaviour } from '../../../test/store/orders/writes.ts';
import { startPgBouncer, type TestPgBouncer } from '../../../test/support/stores/pgbouncer.ts';
import { EMPTY, startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import type { Statement } from '../sql/plan.ts';
import { openPostgres } from './open.ts';
import { openDatabase } from './server/database.ts';

/** What a payment, a refund, a notification and a webhook ask of the store, and who works on what is due. */
const behaviours = [
  ...[sessionBehaviour, orderBehaviour, transactionBehaviour, writeBehaviour, leaseBehaviour, quotaBehaviour],
  ...[notificationBehaviour, keyBehaviour, operationBehaviour, refundBehaviour, eventBehaviour],
];

describe('the PostgreSQL store behind PgBouncer in transaction mode', () => {
  let postgres: TestPostgres;
  let pooler: TestPgBouncer;
  let address: string;
  let owner: Client;
  beforeAll(async () => {
    postgres = await startPostgres();
    const direct = await postgres.database();
    pooler = await startPgBouncer(direct);
    address = pooler.through(direct);
    await (await openPostgres(address)).close();
    owner = new Client({ connectionString: direct });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await pooler?.close();
    await postgres?.close();
  });

  const open = async () => {
    await owner.query(EMPTY);
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    return store;
  };

  it('meets another connection of the server in each transaction', async () => {
    const [one, others] = [openDatabase(address, 'callers', { max: 1 }), openDatabase(address)];
    onTestFinished(async () => void (await Promise.all([one.close(), others.close()])));
    const pid: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid, pg_sleep(0.1)' };
    await Promise.all([1, 2, 3].map(() => others.read(pid)));
    const met = [];
    for (let n = 0; n < 6; n++) met.push((await one.read(pid))[0]?.pid);
    expect(new Set(met).size).toBeGreaterThan(1);
  });

  for (const behaviour of behaviours) behaviour(open);
});
