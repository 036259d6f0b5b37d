import { describe, it } from 'vitest';
import { survivesEveryDeath } from './kill-points.ts';
import { stories } from './stories.ts';

describe.each(['a shopper pays', 'a server pays'] as const)('when a relay is killed while %s', (name) => {
  it('nothing is lost, nothing is done twice, wherever it dies', { timeout: 180_000 }, () =>
    survivesEveryDeath(stories[name]),
  );
});
