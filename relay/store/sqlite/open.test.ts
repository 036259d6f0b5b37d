import { describe, onTestFinished } from 'vitest';
import { storeBehaviour } from '../../../test/store/all.ts';
import { openSqlite } from './open.ts';

describe('the SQLite store', () => {
  storeBehaviour(async () => {
    const store = openSqlite(':memory:');
    onTestFinished(() => store.close());
    return store;
  });
});
