import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { reach, reachFindings } from './reach.ts';

const now = new Date('2027-03-31T12:00:00Z');

/** What is found at a server that says this Date; the address of one that is gone if it says none. */
async function foundAt(date: string | undefined) {
  const server = await serve((_request, response) => {
    if (date === '') response.sendDate = false;
    else response.setHeader('date', date ?? '');
    response.writeHead(404).end();
  });
  onTestFinished(server.close);
  if (date === undefined) await server.close();
  return reachFindings(server.url, await reach(server.url), now);
}

describe('reaching a gateway', () => {
  it('finds a clock that is right, ahead or silent', async () => {
    expect(await foundAt(new Date().toUTCString())).toMatchObject([
      { check: 'connection', status: 'ok' },
      { check: 'TLS', status: 'ok' },
      { check: 'clock', status: 'ok' },
    ]);
    const ahead = await foundAt(new Date(Date.now() + 3_600_000).toUTCString());
    expect(ahead[2]).toMatchObject({ status: 'wrong', says: expect.stringMatching(/3[56]\d\d s ahead of/) });
    expect((await foundAt(''))[2]).toMatchObject({ check: 'clock', status: 'unknown' });
  });

  it('says that nothing listens', async () => {
    expect(await foundAt(undefined)).toMatchObject([
      { status: 'wrong', setting: 'gateway.base_url', says: expect.stringContaining('nothing listens') },
    ]);
  });

  it('says that the server has no TLS on the port', async () => {
    const server = await serve((_request, response) => void response.end());
    onTestFinished(server.close);
    const url = server.url.replace('http:', 'https:');
    expect(reachFindings(url, await reach(url), now)).toMatchObject([{ status: 'wrong', says: /TLS/ }]);
  });

  it.each([
    ['CERT_HAS_EXPIRED', /expired/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another name/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /signed by itself/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /lacks a certificate/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /authority that this machine does not know/],
  ])('names what is wrong with a certificate: %s', (code, says) => {
    const [finding] = reachFindings(
      'https://gateway.example',
      { kind: 'no_connection', addresses: ['192.0.2.1'], code },
      now,
    );
    expect(finding).toMatchObject({ check: 'TLS', status: 'wrong', next: expect.any(String) });
    expect(finding?.says).toMatch(says);
  });

  it('warns of plain HTTP and of a certificate that ends soon', () => {
    const answered = { kind: 'answered', addresses: ['192.0.2.1'], status: 200 } as const;
    expect(reachFindings('http://gateway.example', answered, now)[1]).toMatchObject({ check: 'TLS', status: 'wrong' });
    const certificateEnds = new Date('2027-04-05T12:00:00Z');
    expect(reachFindings('https://gateway.example', { ...answered, certificateEnds }, now)[1]).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('5 days'),
      next: expect.stringContaining('renewed'),
    });
  });
});
