import { expect, it } from 'vitest';
import { testConfig } from '../../test/support/relays/relay.ts';
import { ConfigError } from '../base/errors.ts';
import { checkConfig } from './load.ts';

const ada = {
  name: 'Ada',
  password: `$scrypt$ln=15,r=8,p=3$${'s'.repeat(22)}$${'h'.repeat(43)}`,
  scopes: ['console'],
  accounts: ['demo'],
};

/** What is wrong with a configuration of these people, with other settings of the console and of the file. */
function problems(people: readonly object[], settings: object = {}, more: object = {}): readonly string[] {
  try {
    const file = { ...testConfig({ gatewayUrl: 'http://127.0.0.1:1', folder: '/nowhere' }), ...more };
    checkConfig({ ...file, console: { people, ...settings } }, {});
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

it('takes a person without a password where a proxy signs people in', () => {
  const { password: _, ...grace } = { ...ada, name: 'Grace' };
  const settings = { trust_header: 'X-Remote-User' };
  expect(problems([ada, grace], settings, { trust_proxy: ['10.0.0.1'] })).toEqual([]);
  expect(problems([grace])).toEqual([expect.stringMatching(/^console\.people\.0\.password: must be given unless/)]);
});

const hash = (cost: string): string => ada.password.replace('ln=15,r=8,p=3', cost);
const limited = (limits: object): object => ({ ...ada, limits });
const amounts = (confirm_above: object): object => ({ confirm_above });

it.each<[string, string, object[], object?, object?]>([
  ['a hash that costs too much memory', 'console.people.0.password', [{ ...ada, password: hash('ln=18,r=8,p=1') }]],
  ['a hash that costs too much time', 'console.people.0.password', [{ ...ada, password: hash('ln=15,r=8,p=17') }]],
  [
    'a time that is none',
    'console.people.0.second_factor_reset',
    [{ ...ada, second_factor_reset: '2027-03-31 09:00' }],
  ],
  ['a second factor that is neither', 'console.second_factor', [ada], { second_factor: 'on' }],
  ['a header that no proxy may send', 'console.trust_header', [ada], { trust_header: 'X-User' }],
  ['the relay’s own address', 'console.listen', [ada], { listen: { port: 81 } }, { listen: { port: 81 } }],
  ['an amount that is none', 'console.confirm_above.BRL', [ada], amounts({ BRL: '-1' })],
  ['decimals that a currency has not', 'console.confirm_above.JPY', [ada], amounts({ JPY: '1.5' })],
  ['a currency that is none', 'console.confirm_above.real', [ada], amounts({ real: '1' })],
  ['an approval of no amount', 'console.approval', [ada], { approval: true }],
  ['a limit of no operation', 'console.people.0.limits.reviews', [limited({ reviews: {} })]],
  ['a limit with too many decimals', 'console.people.0.limits.payout.JPY', [limited({ payout: { JPY: '1.5' } })]],
])('names %s', (_what, path, people, settings = {}, more = {}) => {
  expect(problems(people, settings, more)).toEqual([expect.stringMatching(`^${path.replaceAll('.', '\\.')}: `)]);
});

it('lets no API key be named as a person is', () => {
  const { accounts } = testConfig({ gatewayUrl: '', folder: '' });
  const [demo, ...others] = Array.isArray(accounts) ? accounts : [];
  const api_keys = [{ name: 'person:Ada', sha256: 'a'.repeat(64), scopes: ['*'] }];
  expect(problems([ada], {}, { accounts: [{ ...demo, api_keys }, ...others] })).toEqual([
    expect.stringMatching(/^accounts\.0\.api_keys\.0\.name: must not begin with person:/),
  ]);
});
