// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { createApi } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

it('a browser too old to limit a request pays without a limit', async () => {
  vi.stubGlobal('AbortSignal', {});
  const api = createApi('cs_1.SECRET', async () => new Response('{"status":"unknown"}'));
  expect(await api.pay({}, 'key')).toEqual({ kind: 'ok', body: { status: 'unknown' } });
});
