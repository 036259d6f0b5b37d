import type { Profile } from '../../relay/gateway/profile.ts';
import type { Signing } from '../../relay/gateway/signing/signing-setting.ts';
import { cannotTell, type Finding, ok, skipped, unknown, wrong, wrongSetting } from './finding.ts';
import { type Ask, inWords, type Meaning, meaningOf, type Reaction, type Steps, type Try } from './reaction.ts';
import { signingAlternatives } from './signing-alternatives.ts';

/** What the checks of a gateway start from. */
export type Given = {
  profile: Profile;
  /** Whether more than the one query may be sent that the file asks for. */
  mayProbe: boolean;
  /** A new number of an order that cannot exist. */
  newOrderNo: () => string;
  now: Date;
};

/** What is known of signing after its checks: undefined where no query was taken. */
type Signed = { findings: Finding[]; signing: Signing | undefined };

const CHECK = 'signature of requests';

/** Finds how requests are signed: as the file says, or else by trying the alternatives until one is taken. */
export function* diagnoseSigning(given: Given, ask: Ask): Steps<Signed> {
  const { profile } = given;
  const file = profile.signing;
  const query = (signing: Signing): Try => ({
    kind: 'query',
    signing,
    orders: [given.newOrderNo()],
    separator: profile.list_separator,
  });
  const { success } = profile.codes.return_status;
  const first = yield* ask(query(file));
  const meaning = meaningOf(first, success);
  if (isTaken(meaning)) {
    const taken = ok(CHECK, 'the gateway takes a query that is signed as the file says');
    return { findings: [taken, ...answerFindings(first, profile)], signing: file };
  }
  if (meaning !== 'refused') return { findings: [whyNot(first, meaning)], signing: undefined };
  if (!given.mayProbe) return { findings: [refusedOnce(first)], signing: undefined };
  for (const signing of signingAlternatives(file)) {
    const reaction = yield* ask(query(signing));
    if (reaction.kind === 'spent') break;
    const means = meaningOf(reaction, success);
    if (isTaken(means))
      return { findings: [...differences(file, signing), ...answerFindings(reaction, profile)], signing };
    if (means === 'refused') continue;
    // Who refuses for another reason than before has read the signature, and found it right.
    const isRight = means === 'address_not_registered' || means === 'unknown_account';
    const found = isRight ? differences(file, signing) : [];
    return { findings: [...found, whyNot(reaction, means)], signing: undefined };
  }
  const next =
    'Ask the gateway’s operator for one signed query with a secret that you may know, and compute it as docs/gateway-profile.md shows. ' +
    'An address that is not registered, a header that is missing (gateway.headers) and a code that is not listed ' +
    '(gateway.profile.codes.return_status) can look the same.';
  const why = `${inWords(first)}, and to every other form that was tried it said no too`;
  return { findings: [{ ...cannotTell(CHECK, why, next), status: 'wrong' }], signing: undefined };
}

type Taken = 'taken' | 'taken_by_words' | 'absent';

/** True where the gateway did what was asked. */
export function isTaken(meaning: Meaning): meaning is Taken {
  return meaning === 'taken' || meaning === 'taken_by_words' || meaning === 'absent';
}

function refusedOnce(reaction: Reaction): Finding {
  return wrong(
    CHECK,
    `${inWords(reaction)} to a query that is signed as the file says`,
    'Run it again with --probe: it tries at most nine other forms, and names the one that works.',
  );
}

/** Why a query tells nothing of the signature. */
function whyNot(reaction: Reaction, meaning: Exclude<Meaning, Taken | 'refused'>): Finding {
  const says = inWords(reaction);
  switch (meaning) {
    case 'address_not_registered':
      return wrong(
        'registered address',
        says,
        'Have the outgoing addresses of the relay’s machine registered with the gateway, and run this there.',
      );
    case 'unknown_account':
      return wrong(
        'merchant and account',
        says,
        'Check merchant_id and account_id of the account, and that gateway.base_url is where the gateway’s paths begin.',
      );
    case 'limited':
      return unknown(CHECK, says, 'Nothing more was sent. Wait, or ask the gateway’s operator.');
    case 'nothing_told':
      if (reaction.kind === 'unsignable') {
        return wrong(CHECK, says, 'Add it, and run this again.', { setting: 'gateway.profile.signing' });
      }
      return cannotTell(CHECK, says, 'Look at the connection first, then run this again.');
  }
}

/** Each part of the signing that differs, by its path. */
function differences(file: Signing, works: Signing): Finding[] {
  const root = 'gateway.profile.signing';
  if (file.scheme !== 'concat' || works.scheme !== 'concat') {
    const whole = works.scheme === 'concat' ? { ...works, answer_fields: undefined } : works;
    const next = `Set ${root} to ${JSON.stringify(whole)}${works.scheme === 'concat' ? ', and ask the gateway’s operator for the fields of the other operations' : ''}.`;
    return [wrongSetting(CHECK, { setting: `${root}.scheme`, works: works.scheme, file: file.scheme }, next)];
  }
  const parts = [
    { setting: `${root}.algorithm`, works: works.algorithm, file: file.algorithm },
    { setting: `${root}.fields.query`, works: works.fields.query, file: file.fields.query },
    { setting: `${root}.separator`, works: works.separator, file: file.separator },
    { setting: `${root}.secret`, works: works.secret, file: file.secret },
    { setting: `${root}.output`, works: works.output, file: file.output },
  ];
  return parts.flatMap((part) =>
    JSON.stringify(part.works) === JSON.stringify(part.file)
      ? []
      : [wrongSetting(CHECK, part, 'Set it for queries, and check that it holds for every other operation too.')],
  );
}

/** What the answer tells besides: its code, and whether its own signature is as the file says. */
function answerFindings(reaction: Reaction, profile: Profile): Finding[] {
  if (reaction.kind !== 'answered') return [];
  const { success } = profile.codes.return_status;
  const records = meaningOf(reaction, success) === 'taken' ? [recordsFinding(reaction, profile)] : [];
  return [registered, codeFinding(reaction, profile), ...records, signatureFinding(reaction, profile)];
}

const registered: Finding = ok(
  'registered address',
  'the gateway answers queries from this machine; the relay’s must be registered too',
);

function codeFinding(reaction: Extract<Reaction, { kind: 'answered' }>, { codes }: Profile): Finding {
  const check = 'code of a query';
  const { success, failed } = codes.return_status;
  const status = reaction.returnStatus;
  if (success.includes(status)) return ok(check, `return_status ${JSON.stringify(status)} is success`);
  const setting = 'gateway.profile.codes.return_status.success';
  if (meaningOf(reaction, success) === 'absent') {
    const next = `If every query that finds nothing is answered so, add ${JSON.stringify(status)} to ${setting}: without it no order is known to be unpaid.`;
    return cannotTell(check, inWords(reaction), next);
  }
  const elsewhere = failed.includes(status) ? ' Take it out of gateway.profile.codes.return_status.failed.' : '';
  return wrongSetting(check, { setting, works: [...success, status], file: success }, `Set it.${elsewhere}`);
}

function signatureFinding({ signature }: Extract<Reaction, { kind: 'answered' }>, profile: Profile): Finding {
  const check = 'signature of answers';
  const file = profile.verify.query;
  if (file === 'off') return skipped(check, 'gateway.profile.verify.query is off');
  switch (signature) {
    case undefined:
      return ok(check, `the answer’s signature is as gateway.profile.verify.query asks (${file})`);
    case 'signature_missing':
      return wrongSetting(
        check,
        { setting: 'gateway.profile.verify.query', works: 'if_present', file },
        'Have the gateway’s operator confirm that answers to queries are not signed.',
      );
    case 'signature_wrong':
    case 'signature_not_checkable':
      return wrong(
        check,
        'the answer’s signature is not what the file’s signing makes of it, although the request’s is right',
        'Ask the gateway’s operator how answers are signed: gateway.profile.signing.answer_fields, or gateway.profile.verify.query "off".',
        { setting: 'gateway.profile.signing' },
      );
  }
}

const RECORDS = 'records of a query';
const CONFIRM = 'Have the gateway’s operator confirm that this is how it answers where it has no such order.';

/** What the answer to a query for one order that cannot exist tells of its records: there must be a list, and nothing in it. */
function recordsFinding(
  { listed, records }: Extract<Reaction, { kind: 'answered' }>,
  { query_without_list: file, codes }: Profile,
): Finding {
  if (!listed && file !== 'empty') {
    return wrongSetting(RECORDS, { setting: 'gateway.profile.query_without_list', works: 'empty', file }, CONFIRM);
  }
  const { not_found } = codes.query_result;
  const found = records.filter(({ query_result }) => !not_found.includes(query_result ?? ''));
  const [first] = found;
  if (first === undefined) {
    return ok(RECORDS, 'the gateway lists nothing for an order that it does not have');
  }
  const results = [...new Set(found.map(({ query_result }) => query_result ?? ''))];
  const says = `asked about one order number that cannot exist, the gateway lists ${found.length} ${found.length === 1 ? 'record' : 'records'}`;
  const isPlaceholder = found.length === 1 && !first.transaction_id && first.query_result;
  if (isPlaceholder) {
    const setting = 'gateway.profile.codes.query_result.not_found';
    const wrong = wrongSetting(RECORDS, { setting, works: [...not_found, ...results], file: not_found }, CONFIRM);
    return { ...wrong, says: `${wrong.says}: ${says}` };
  }
  return wrong(
    RECORDS,
    `${says}: no query proves that an order is unpaid`,
    'Ask the gateway’s operator why a query by orders brings other orders, and how an order number may be written.',
  );
}
