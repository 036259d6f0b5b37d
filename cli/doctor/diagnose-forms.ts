import type { Profile } from '../../relay/gateway/profile.ts';
import type { Signing } from '../../relay/gateway/signing/signing-setting.ts';
import { type Given, isTaken, secondOf } from './diagnose-signing.ts';
import { cannotTell, type Finding, ok, skipped, wrong, wrongSetting } from './finding.ts';
import { type Ask, inWords, meaningOf, type Period, type Reaction, type Steps, type Try } from './reaction.ts';

/** The maximum number of orders of one query (§8). */
const MAX_ORDERS = 100;

const SEPARATORS = [',', ';', '|', ' '];
const CONTENT_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded'];

/** A query for some orders. */
type QueryOf = (orders: readonly string[], separator: string) => Try;

/**
 * Finds the separator of lists: by a query for two known orders, which must return both, otherwise by a query for one
 * order too many, which only a gateway that reads the list can refuse. Also returns the records of the known orders.
 */
export function* diagnoseList(
  given: Given & { signing: Signing; known: readonly string[]; period?: Period | undefined },
  ask: Ask,
): Steps<{ findings: Finding[]; records: Extract<Reaction, { kind: 'answered' }>['records'] }> {
  const { profile, signing, known, period } = given;
  const query: QueryOf = (orders, separator) => ({ kind: 'query', signing, orders, separator, period });
  const candidates = [profile.list_separator, ...SEPARATORS.filter((one) => one !== profile.list_separator)];
  if (known.length < 2) return { findings: [yield* listByLimit(given, query, candidates, ask)], records: [] };
  for (const separator of candidates) {
    const reaction = yield* ask(query(known, separator));
    if (isEnd(reaction)) return { findings: [cannotTell(LIST, inWords(reaction), AGAIN)], records: [] };
    const records = reaction.kind === 'answered' ? reaction.records : [];
    if (known.every((order) => records.some(({ order_no }) => order_no === order))) {
      return { findings: [listFinding(separator, profile)], records };
    }
  }
  const why = `the gateway returned ${known.join(' and ')} together with no separator that was tried`;
  return {
    findings: [cannotTell(LIST, why, 'Name two orders that this gateway and this account have: --orders.')],
    records: [],
  };
}

const LIST = 'separator of lists';

function listFinding(works: string, { list_separator: file }: Profile): Finding {
  if (works !== file) return wrongSetting(LIST, { setting: 'gateway.profile.list_separator', works, file });
  return ok(LIST, `the gateway reads lists with ${JSON.stringify(file)}`);
}

function* listByLimit(given: Given, query: QueryOf, candidates: readonly string[], ask: Ask): Steps<Finding> {
  const { profile, newOrderNo } = given;
  const orders = (count: number): string[] => Array.from({ length: count }, newOrderNo);
  const isRead = (reaction: Reaction): boolean => isTaken(meaningOf(reaction, profile.codes.return_status.success));
  for (const separator of candidates) {
    const tooMany = yield* ask(query(orders(MAX_ORDERS + 1), separator));
    if (isEnd(tooMany)) return cannotTell(LIST, inWords(tooMany), AGAIN);
    if (isRead(tooMany)) continue;
    // The gateway may refuse the text for its length. Then it also refuses a list within the limit.
    const allowed = yield* ask(query(orders(MAX_ORDERS), separator));
    if (isEnd(allowed)) return cannotTell(LIST, inWords(allowed), AGAIN);
    if (isRead(allowed)) return listFinding(separator, profile);
  }
  return cannotTell(LIST, 'the gateway refuses no query for too many orders', NAME_ORDERS);
}

/** Whether to stop: no more messages may be sent, or they would show nothing new. */
function isEnd(reaction: Reaction): boolean {
  const meaning = meaningOf(reaction, []);
  return meaning === 'no_evidence' || meaning === 'limited';
}

const NAME_ORDERS = 'Name two paid orders with --orders, or the relay with --url and a key whose scope is console.';

/** Finds whether a query may have dates only, in the form of §4.1. */
export function* diagnoseDates(given: Given & { signing: Signing }, ask: Ask): Steps<Finding[]> {
  const { profile, signing, newOrderNo, now } = given;
  const check = 'dates of queries';
  const withDates = (group: readonly string[]): boolean => group.includes('query_start') || group.includes('query_end');
  if (!profile.query_requires.some((group) => withDates(group))) {
    return [skipped(check, 'gateway.profile.query_requires asks for no dates')];
  }
  const period = secondOf(now);
  const separator = profile.list_separator;
  const { success } = profile.codes.return_status;
  const alone = yield* ask({ kind: 'query', signing, orders: [], separator, period });
  if (isEnd(alone)) return [cannotTell(check, inWords(alone), AGAIN)];
  if (isTaken(meaningOf(alone, success))) return [ok(check, 'the gateway takes a query by dates alone')];
  const file = profile.query_requires;
  const works = file.filter((group) => !withDates(group));
  const both = yield* ask({ kind: 'query', signing, orders: [newOrderNo()], separator, period });
  if (isEnd(both)) return [cannotTell(check, inWords(both), AGAIN)];
  const why = isTaken(meaningOf(both, success))
    ? 'the gateway takes dates beside orders, and refuses them alone'
    : `the gateway refuses dates in the form YYYY-MM-DD HH:MM:SS, which has no setting (${inWords(alone)})`;
  if (works.length === 0) return [wrong(check, why, undefined, { setting: QUERY_REQUIRES, file })];
  const found = wrongSetting(check, { setting: QUERY_REQUIRES, works, file });
  return [{ ...found, says: `${found.says}: ${why}` }];
}

const QUERY_REQUIRES = 'gateway.profile.query_requires';
const AGAIN = 'Correct the settings that are reported as wrong, then run this again.';

/** Finds the content type of JSON messages by cancelling a transaction that does not exist. */
export function* diagnoseContentType(given: Given & { signing: Signing }, ask: Ask): Steps<Finding[]> {
  const { profile, signing, newOrderNo } = given;
  const check = 'content type of JSON';
  const file = profile.json_content_type;
  const isSame = (one: string, other: string): boolean =>
    one.replaceAll(' ', '').toLowerCase() === other.replaceAll(' ', '').toLowerCase();
  const cancel = (contentType: string): Try => ({ kind: 'cancel', signing, contentType, orderNo: newOrderNo() });
  const first = yield* ask(cancel(file));
  if (isJsonRead(first)) {
    return [ok(check, `the gateway reads JSON as ${file}`)];
  }
  if (first.kind !== 'refused' || isEnd(first)) return [cannotTell(check, inWords(first), AGAIN)];
  // The fields of a query are proved, those of a cancellation are not: further cancellations may be further wrong
  // signatures.
  if (signing.scheme === 'concat' && !isAboutType(first)) {
    return [
      cannotTell(
        check,
        `${inWords(first)} to a cancellation, perhaps because of gateway.profile.signing.fields.cancel`,
      ),
    ];
  }
  for (const works of CONTENT_TYPES.filter((one) => !isSame(one, file))) {
    const reaction = yield* ask(cancel(works));
    if (isEnd(reaction)) break;
    if (isJsonRead(reaction))
      return [wrongSetting(check, { setting: 'gateway.profile.json_content_type', works, file })];
  }
  return [cannotTell(check, `${inWords(first)} to a cancellation under every content type that was tried`)];
}

function isAboutType({ status, text }: Extract<Reaction, { kind: 'refused' }>): boolean {
  return status === 415 || status === 406 || /content.?type|media.?type/i.test(text);
}

/** The gateway has read the message: it reports that there is no such transaction. */
function isJsonRead(reaction: Reaction): boolean {
  return reaction.kind === 'answered' || (reaction.kind === 'refused' && reaction.status === 404);
}
