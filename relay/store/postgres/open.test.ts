import { Client } from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { storeBehaviour } from '../../../test/store/all.ts';
import { EMPTY, startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { openPostgres } from './open.ts';

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
