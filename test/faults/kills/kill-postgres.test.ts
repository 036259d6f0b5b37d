import { beforeAll, describe, it } from 'vitest';
import type { TestPostgres } from '../../support/stores/postgres.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';
import { survivesDeaths } from './kill-points.ts';
import { stories } from './stories.ts';

const played = ['a shopper pays', 'a refund'] as const;

describe('when a relay on PostgreSQL is killed', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  it.each(played)('while %s, nothing is lost, nothing is done twice', { timeout: 180_000 }, (name) =>
    survivesDeaths(stories[name], () => postgres.database()),
  );
});
