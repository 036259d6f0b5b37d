import { ClientMisused } from './errors.ts';

export type ClientOptions = {
  /** The address of the relay, such as `https://pay.example`. */
  url: string;
  /** One of the account's API keys. It is only sent in the Authorization header. */
  apiKey: string;
  /**
   * The maximum duration of one try, in milliseconds. Default: 35,000, because a relay waits up to 30,000 for its
   * gateway.
   */
  timeoutMs?: number;
  /** The maximum number of tries. Default: 4. */
  tries?: number;
  /** Replaces fetch, for some runtimes and for tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between two tries. For tests. */
  wait?: (ms: number) => Promise<void>;
};

export type Settings = Required<ClientOptions>;

/** Adds the defaults to the options. Throws ClientMisused, which never quotes the options. */
export function settingsOf(options: ClientOptions): Settings {
  const { url, apiKey, timeoutMs = 35_000, tries = 4 } = options;
  const address = addressOf(url);
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw new ClientMisused('apiKey is missing: give one of the account’s API keys, and see that the variable is set');
  }
  // Checked here, because fetch would quote it in its error.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new ClientMisused('apiKey must be visible ASCII characters');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1) throw new ClientMisused('timeoutMs must be a positive integer');
  if (!Number.isInteger(tries) || tries < 1) throw new ClientMisused('tries must be a positive integer');
  return {
    url: address,
    apiKey,
    timeoutMs,
    tries,
    fetch: options.fetch ?? ((target, init) => fetch(target, init)),
    wait: options.wait ?? ((ms) => new Promise((done) => setTimeout(done, ms))),
  };
}

/** The relay's address without final slashes. Throws ClientMisused. */
function addressOf(url: string): string {
  if (typeof url !== 'string' || url === '') {
    throw new ClientMisused(
      'url is missing: give the relay’s address, such as http://127.0.0.1:8080, and see that the variable is set',
    );
  }
  if (!/^https?:\/\/[^?#@]+$/.test(url) || !URL.canParse(url)) {
    const needed = 'url must be the relay’s http or https address, without credentials, query or fragment';
    throw new ClientMisused(url.includes('://') ? needed : `${needed}: write http:// or https:// before it`);
  }
  const address = url.replace(/\/+$/, '');
  // The paths of the API begin with `/v1`.
  if (address.endsWith('/v1')) throw new ClientMisused('url must not end in /v1: the client adds it');
  return address;
}

/** The caller's key for a POST, or a new one. Throws ClientMisused for a key that the relay would refuse. */
export function keyOf(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (typeof given === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(given)) return given;
  throw new ClientMisused('idempotencyKey must be 1 to 255 visible ASCII characters without quotes and backslashes');
}

/**
 * A route with an id of the relay. Throws ClientMisused for any other text, such as a client secret, because URLs are
 * logged.
 */
export function pathOf(route: string, id: string): string {
  if (typeof id !== 'string') throw new ClientMisused('an id is missing: give the one that the relay answered with');
  if (/^[\w-]{1,200}$/.test(id)) return route.replace(':id', id);
  throw new ClientMisused('an id has only letters, digits, _ and -: give the one that the relay answered with');
}

/** The path of a route with an order's number. Throws ClientMisused for a number that a path cannot contain. */
export function orderPathOf(route: string, orderNo: string): string {
  return namedPathOf(route, ':order_no', orderNo, 'an order_no is missing');
}

/** The path of a route for a payment. Throws ClientMisused. */
export function paymentPathOf(route: string, transactionId: string): string {
  return namedPathOf(route, ':transaction_id', transactionId, 'a transaction_id is missing');
}

/** The path of a route for a contract. Throws ClientMisused. */
export function contractPathOf(route: string, recurringId: string): string {
  return namedPathOf(route, ':recurring_id', recurringId, 'a recurring_id is missing');
}

function namedPathOf(route: string, parameter: string, name: string, missing: string): string {
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name)) throw new ClientMisused(missing);
  return route.replace(parameter, () => encodeURIComponent(name));
}

/**
 * A path that the caller wrote, and its name in errors, which is the path without its query. Throws ClientMisused for
 * any other text, such as a client secret, because URLs are logged.
 */
export function rawPathOf(path: string): { path: string; route: string } {
  if (typeof path !== 'string' || !/^\/(?!\/)[!-~]*$/.test(path) || /[#\\]|cs_\w{20,}\./.test(path)) {
    throw new ClientMisused('the path must begin with /, as /v1/orders?limit=5 does, and hold no client secret');
  }
  return { path, route: path.replace(/\?.*/, '') };
}

/**
 * The query of a list, with its question mark; empty without filters. Throws ClientMisused for an invalid filter, such
 * as a client secret, because URLs are logged.
 */
export function queryOf(filter: Filter): string {
  // The name of a type contains a dot, and so does a client secret.
  return queryWith(filter, (name, value) =>
    (name === 'type' ? /^[\w.]{1,200}$/ : /^[\w-]{1,200}$/).test(String(value)),
  );
}

/** `queryOf` for a list whose filters are free text. */
export function textQueryOf(filter: Filter): string {
  return queryWith(filter, (_, value) => {
    // A client secret permits a payment.
    if (typeof value === 'string') return value.length > 0 && value.length <= 320 && !/cs_\w{20,}\./.test(value);
    return typeof value === 'number' || value === true;
  });
}

type Filter = Readonly<Record<string, string | number | boolean | undefined>>;

function queryWith(filter: Filter, fits: (name: string, value: Filter[string]) => boolean): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!fits(name, value)) throw new ClientMisused(`${name} is not what a list can be filtered by`);
  }
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}

/** A body as it is sent. Throws ClientMisused for a value that JSON cannot express, and never quotes it. */
export function jsonOf(body: object): string {
  // The types exclude other values, but plain JavaScript has no types.
  if (typeof body === 'object' && body !== null) {
    try {
      return JSON.stringify(body);
    } catch {
      // The error of JSON.stringify may quote the value.
    }
  }
  throw new ClientMisused(
    'the body must be an object that JSON can say: amounts as decimal strings such as "129.90", no BigInt, no circles',
  );
}
