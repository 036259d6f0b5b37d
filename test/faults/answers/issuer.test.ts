import { describe, expect, it } from 'vitest';
import { methods, pix, redirection } from '../../support/gateways/issuer.ts';
import { scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { startTestRelay } from '../../support/relays/relay.ts';

/** Targets to which an issuer_url or a redirect of the issuer may try to lead the relay or the shopper. */
const targets = [
  'http://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://100.100.100.200/',
  'http://[::ffff:a9fe:a9fe]/',
  'https://0.0.0.0/',
  'javascript:alert(1)',
  'data:text/html,<h1>Bank</h1>',
  'file:///etc/passwd',
  'https://bank@127.0.0.1/',
];

/** A browser resolves each to its own machine, regardless of DNS. */
const localNames = ['https://localhost./', 'https://x.localhost/', 'https://example.com.localhost/'];

/** A shopper who pays by an APM and opens the issuer's page. */
async function openIssuerPage(issuerUrl: string, follow: 'last' | 'first' | 'none', allow_private = true) {
  const gateway = await scriptedGateway((received, res) => {
    if (received.path === '/v1/authorise') sendXml(res, signedXml(redirection(received, issuerUrl)));
    else sendRecords(res, [], { return_status: '0' });
  });
  const issuer = { allow_private, timeout_ms: 2000, follow };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { issuer } });
  const { secret, id } = await relay.session(methods);
  const paid = await relay.pay(secret, pix);
  const page = await relay.get(String(paid.body.redirect_url).slice(relay.url.length));
  return { gateway, relay, id, paid, page };
}

async function expectUnreachable({ gateway, relay, id, page }: Awaited<ReturnType<typeof openIssuerPage>>) {
  expect(page.status).toBe(502);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('location')).toBeNull();
  expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'issuer_unreachable' } });
  expect(gateway.authorised()).toHaveLength(1);
}

describe.each(['last', 'first', 'none'] as const)('following issuer_url to the %s', (follow) => {
  it.each(targets)('leaves the session unknown and shows a page if it is %s', async (target) => {
    await expectUnreachable(await openIssuerPage(target, follow));
  });

  it.each(localNames)('leaves it unknown if private targets are forbidden and it is %s', async (target) => {
    await expectUnreachable(await openIssuerPage(target, follow, false));
  });

  if (follow !== 'none') {
    it.each(targets)('does the same when the issuer redirects to %s', async (target) => {
      const issuer = await serve((_req, res) => void res.writeHead(302, { location: target }).end());
      await expectUnreachable(await openIssuerPage(issuer.url, follow));
      await issuer.close();
    });
  }
});
