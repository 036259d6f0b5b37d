import { describe, it } from 'vitest';
import { survivesDeaths } from './kill-points.ts';
import { stories } from './stories.ts';

describe.each(['a shopper pays', 'a server pays'] as const)('when a relay is killed while %s', (name) => {
  it('nothing is lost, nothing is done twice', { timeout: 180_000 }, () => survivesDeaths(stories[name]));
});
