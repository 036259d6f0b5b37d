import { describe, it } from 'vitest';
import { survivesDeaths } from './kill-points.ts';
import { stories } from './stories.ts';

describe('when a relay is killed while a shopper pays', () => {
  it('nothing is lost, nothing is done twice', { timeout: 180_000 }, () => survivesDeaths(stories['a shopper pays']));
});
