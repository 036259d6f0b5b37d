import { expect, it } from 'vitest';
import { testConfig } from '../../test/support/relay.ts';
import { ConfigError } from '../base/errors.ts';
import { checkConfig } from './load.ts';

const ada = {
  name: 'Ada',
  password: `$scrypt$ln=15,r=8,p=3$${'s'.repeat(22)}$${'h'.repeat(43)}`,
  scopes: ['console'],
  accounts: ['demo'],
};

/** What is wrong with a configuration of these people. */
function problems(people: readonly object[]): readonly string[] {
  try {
    checkConfig({ ...testConfig({ gatewayUrl: 'http://127.0.0.1:1', folder: '/nowhere' }), console: { people } }, {});
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('takes people as turnpike person new makes them', () => {
  expect(problems([ada, { ...ada, name: 'Grace' }])).toEqual([]);
});

it.each([
  [
    'a password that is no hash',
    [{ ...ada, password: 'hunter2' }],
    /^console\.people\.0\.password: must be a scrypt hash/,
  ],
  ['a name that stands twice', [ada, ada], /^console\.people\.1\.name: two people are called Ada$/],
  [
    'an unknown account',
    [{ ...ada, accounts: ['shop'] }],
    /^console\.people\.0\.accounts\.0: there is no account shop$/,
  ],
  ['a scope that there is none of', [{ ...ada, scopes: ['admin'] }], /^console\.people\.0\.scopes\.0: /],
])('names %s, and never a password', (_what, people, says) => {
  const found = problems(people);
  expect(found).toEqual([expect.stringMatching(says)]);
  expect(found.join()).not.toContain('hunter2');
});
