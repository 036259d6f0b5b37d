import { Client } from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { storeBehaviour } from '../../../test/store/all.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { openPostgres } from './open.ts';

/** Empties every table but the one that tells the version. Rows that are deleted cost less than files that are truncated. */
const EMPTY = `DO $$ DECLARE one text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT tablename::text FROM pg_tables
  WHERE schemaname = 'turnpike' AND tablename <> 'migrations'
  LOOP EXECUTE format('DELETE FROM turnpike.%I', one); END LOOP; END $$`;

describe('the PostgreSQL store', () => {
  let postgres: TestPostgres;
  let address: string;
  let owner: Client;
  beforeAll(async () => {
    postgres = await startPostgres();
    address = await postgres.database();
    await (await openPostgres(address)).close();
    owner = new Client({ connectionString: address });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await postgres?.close();
  });

  storeBehaviour(async () => {
    await owner.query(EMPTY);
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    return store;
  });
});
