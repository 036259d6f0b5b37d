import { Agent, request } from 'undici';
import {
  AddressRefused,
  type AddressRules,
  allowedAddresses,
  bare,
  checkedLookup,
  isPrivateAddress,
} from './addresses.ts';

export type IssuerSettings = AddressRules & {
  follow: 'last' | 'first' | 'none';
  allow_hosts: readonly string[];
  max_hops: number;
  timeout_ms: number;
};

/** Why an issuer_url did not lead to a page. */
export type IssuerFault =
  | 'address_refused'
  | 'host_refused'
  | 'scheme_refused'
  | 'too_many_hops'
  | 'no_answer'
  | 'bad_answer';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerFault;

  constructor(code: IssuerFault, cause?: unknown) {
    super(`the issuer's page cannot be opened: ${code}`, { cause });
    this.code = code;
  }
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Requests issuer_url as §1 wants it and returns the address that the shopper's browser is sent to. Every hop's scheme,
 * host and address must be allowed; the sockets connect to the addresses that were checked. Throws IssuerError.
 */
export async function followIssuerUrl(issuerUrl: string, settings: IssuerSettings): Promise<string> {
  const agent = new Agent({ connect: { lookup: checkedLookup(settings) }, maxResponseSize: -1 });
  const signal = AbortSignal.timeout(settings.timeout_ms);
  try {
    let url = await checked(issuerUrl, settings);
    if (settings.follow === 'none') return url.href;
    for (let hop = 0; hop <= settings.max_hops; hop++) {
      const target = await redirectTarget(url, agent, signal);
      if (target === undefined) return url.href;
      url = await checked(target, settings);
      if (settings.follow === 'first') return url.href;
    }
    throw new IssuerError('too_many_hops');
  } finally {
    await agent.destroy();
  }
}

async function redirectTarget(url: URL, agent: Agent, signal: AbortSignal): Promise<string | undefined> {
  const answer = await request(url, { dispatcher: agent, signal, headers: { accept: 'text/html,*/*' } }).catch(
    (error: unknown) => {
      throw new IssuerError(isRefusal(error) ? 'address_refused' : 'no_answer', error);
    },
  );
  // The page is the shopper's to read; the socket goes with the agent.
  answer.body.on('error', () => undefined).destroy();
  const { location } = answer.headers;
  if (redirects.has(answer.statusCode)) {
    const target = typeof location === 'string' ? URL.parse(location, url) : null;
    if (!target) throw new IssuerError('bad_answer');
    return target.href;
  }
  if (answer.statusCode < 200 || answer.statusCode > 299) throw new IssuerError('bad_answer');
  return undefined;
}

async function checked(address: string, settings: IssuerSettings): Promise<URL> {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) {
    throw new IssuerError('scheme_refused');
  }
  if (!settings.allow_hosts.some((pattern) => hostMatches(url.hostname, pattern)))
    throw new IssuerError('host_refused');
  const addresses = await allowedAddresses(url.hostname, settings).catch((error: unknown) => {
    throw new IssuerError(isRefusal(error) ? 'address_refused' : 'no_answer', error);
  });
  const plainIsFine = settings.allow_private && addresses.every((entry) => isPrivateAddress(entry.address));
  if (url.protocol === 'http:' && !plainIsFine) throw new IssuerError('scheme_refused');
  return url;
}

/** `*` is any host, `*.bank.example` any host below that one, anything else exactly that host. */
function hostMatches(hostname: string, pattern: string): boolean {
  const host = bare(hostname).toLowerCase();
  const wanted = bare(pattern).toLowerCase();
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

function isRefusal(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}
