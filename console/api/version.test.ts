import { expect, it } from 'vitest';
import { fetchNoticing } from './version.ts';

it.each([
  ['the same version', { 'Turnpike-Version': '0.1.0' }, 200, false],
  ['another version', { 'Turnpike-Version': '0.2.0' }, 200, true],
  ['another version with a problem', { 'Turnpike-Version': '0.2.0' }, 409, true],
  ['no version, as a proxy', {}, 502, false],
])('notices an answer of %s', async (_what, headers, status, isOther) => {
  let noticed = false;
  const response = new Response('{}', { status, headers });
  const fetch = fetchNoticing(
    async () => response,
    '0.1.0',
    () => {
      noticed = true;
    },
  );
  expect(await fetch('/console/api/me')).toBe(response);
  expect(noticed).toBe(isOther);
});
