import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { cli } from '../../test/support/operators/cli.ts';
import { failureOf } from './errors.ts';

const env = { TURNPIKE_API_KEY: 'any-key' };

/** What the command says if the relay is at this address. Pauses between its tries take no time. */
async function saidAt(url: string): Promise<string> {
  const { code, err } = await cli(['--url', url, 'orders', 'list'], { env, io: { wait: async () => undefined } });
  expect(code).toBe(1);
  return err;
}

describe('a relay that gives no answer', () => {
  it('names a host without an address', async () => {
    expect(await saidAt('http://relay.invalid')).toMatch(
      /its name cannot be looked up( now)? \((ENOTFOUND|EAI_AGAIN)\)/,
    );
  });

  it('names a port on which nothing listens', async () => {
    const server = await serve((_request, response) => void response.end());
    await server.close();
    expect(await saidAt(server.url)).toMatch(/nothing listens on this port \(ECONNREFUSED\)/);
  });

  it('names https on an http port', async () => {
    const server = await serve((_request, response) => void response.end());
    onTestFinished(server.close);
    const said = await saidAt(server.url.replace('http:', 'https:'));
    expect(said).toMatch(/does not speak TLS on this port.*https on an http port/);
    expect(said).toMatch(/Check the port in --url or TURNPIKE_URL, and whether it must begin with http:\/\//);
  });

  it.each([
    ['CERT_HAS_EXPIRED', /its certificate has expired \(CERT_HAS_EXPIRED\)/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /signed by itself/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /for another name/],
    ['EUNHEARD_OF', /The relay gave no answer: EUNHEARD_OF\./],
  ])('names the code %s', async (code, says) => {
    const fetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }));
    const { err } = await cli(['--url', 'https://pay.example', 'orders', 'list'], {
      env,
      io: { fetch, wait: async () => undefined },
    });
    expect(err).toMatch(says);
  });
});

describe('a package that is not installed', () => {
  it('is named, with what to do', () => {
    const error = Object.assign(new Error("Cannot find package 'undici' imported from /x/client.ts"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    expect(failureOf(error)).toMatchObject({
      exitCode: 2,
      failure: {
        code: 'package_missing',
        message: expect.stringContaining('undici'),
        hint: expect.stringContaining('22.19'),
      },
    });
  });

  it('is none where a file of the command itself is missing', () => {
    const error = Object.assign(new Error("Cannot find module '/x/y.ts' imported from /x"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    expect(failureOf(error).failure.code).toBe('defect');
  });
});
