import { expect, it } from 'vitest';
import { whyNot } from './contents.ts';

const key = ['-----BEGIN PRIVATE', 'KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC'].join(' ');

it.each([
  ['relay/app.test.ts', '', 'a test'],
  ['node_modules/pino/test/log.js', '', 'a test'],
  ['node_modules/zod/index.js.map', '', 'a source map'],
  ['node_modules/zod/index.d.cts', '', 'types'],
  ['relay/main.ts', '', 'TypeScript'],
  ['.env', '', 'a secret or data'],
  ['deploy/tls.key', '', 'a secret or data'],
  ['data/turnpike.db', '', 'a secret or data'],
  ['relay.json', '', 'a secret or data'],
  ['deploy/relay.json', '', 'a secret or data'],
  ['deploy/turnpike.dump', '', 'a secret or data'],
  ['deploy/secrets/store', '', 'a secret or data'],
  ['deploy/kubernetes/secrets/store', '', 'a secret or data'],
  ['relay/key.js', key, 'a private key'],
])('keeps %s out of a release', (path, text, why) => {
  expect(whyNot(path, () => text)).toBe(why);
});

it.each([
  'relay/main.js',
  'node_modules/pg/lib/index.js',
  'deploy/nginx.conf',
  'deploy/kubernetes/relay.yaml',
  'docs/testing.md',
])('takes %s', (path) => {
  expect(whyNot(path, () => 'export {};')).toBeUndefined();
});
