import type { Profile } from '../../relay/gateway/profile.ts';
import type { Signing } from '../../relay/gateway/signing/signing-setting.ts';
import { answerFindings, secretFinding } from './answer-findings.ts';
import { cannotTell, type Finding, ok, unknown, wrong, wrongSetting } from './finding.ts';
import {
  type Ask,
  filtersAskedFor,
  inWords,
  type Meaning,
  meaningOf,
  type Period,
  type Reaction,
  type SigningEvidence,
  type Steps,
  type Try,
  WRONG_ENCODING,
} from './reaction.ts';
import { keyOf, requestsLike, signingAlternatives } from './sign/alternatives.ts';

/** The input of the checks of a gateway. */
export type Given = {
  profile: Profile;
  /** Whether more queries than the first one may be sent. */
  mayProbe: boolean;
  /** Whether there is white space around the account's secret, as in a variable that was read with its line end. */
  isSecretPadded: boolean;
  /** A new number of an order that does not exist. */
  newOrderNo: () => string;
  now: Date;
};

/** The result of the signing checks; undefined if the gateway accepted no query. `period`: queries must have dates. */
type Signed = { findings: Finding[]; signing: Signing | undefined; period?: Period };

const CHECK = 'signature of requests';

/** A signing to try. */
type Way = Pick<Extract<Try, { kind: 'query' }>, 'signing' | 'isTrimmed'>;

/** Finds how requests are signed: as in the file, otherwise by trying alternatives until the gateway accepts one. */
export function* diagnoseSigning(given: Given, ask: Ask): Steps<Signed> {
  const { success } = given.profile.codes.return_status;
  const file = given.profile.signing;
  const first = yield* ask(queryOf(given, { signing: file }));
  if (meaningOf(first, success) !== 'asks_for_filter') return yield* fromFirst(given, first, undefined, ask);
  const asked = filtersAskedFor(wordsOf(first));
  const finding = filterFinding(asked, first, given.profile);
  if (!given.mayProbe || !asked.every((name) => name === 'query_start' || name === 'query_end')) {
    return { findings: [finding], signing: undefined };
  }
  const period = secondOf(given.now);
  const second = yield* ask(queryOf(given, { signing: file }, period));
  const signed = yield* fromFirst(given, second, period, ask);
  return { ...signed, findings: [finding, ...signed.findings], period };
}

function queryOf({ profile, newOrderNo }: Given, way: Way, period?: Period): Try {
  return { kind: 'query', ...way, orders: [newOrderNo()], separator: profile.list_separator, period };
}

/** One second of yesterday. The result is not used. */
export function secondOf(now: Date): Period {
  const from = new Date(now.getTime() - 86_400_000);
  return { from, to: new Date(from.getTime() + 1000) };
}

function* fromFirst(given: Given, first: Reaction, period: Period | undefined, ask: Ask): Steps<Signed> {
  const { profile } = given;
  const file = profile.signing;
  const { success } = profile.codes.return_status;
  const meaning = meaningOf(first, success);
  if (isTaken(meaning)) {
    const taken = ok(CHECK, 'the gateway takes a query that is signed as the file says');
    return { findings: [taken, ...answerFindings(first, profile)], signing: file };
  }
  if (meaning !== 'refused') return { findings: [whyNot(first, meaning)], signing: undefined };
  const evidence = evidenceOf(first);
  const otherSecret = evidence.answers?.secret;
  // With a wrong secret every form is wrong.
  if (otherSecret !== undefined && !given.isSecretPadded) {
    return { findings: [secretFinding(otherSecret)], signing: undefined };
  }
  if (!given.mayProbe) return { findings: [refusedOnce(first)], signing: undefined };
  for (const way of waysOf(given, evidence)) {
    const reaction = yield* ask(queryOf(given, way, period));
    if (reaction.kind === 'spent') break;
    const means = meaningOf(reaction, success);
    const found = way.isTrimmed ? [PADDED] : differences(file, way.signing);
    if (isTaken(means)) return { findings: [...found, ...answerFindings(reaction, profile)], signing: way.signing };
    if (means === 'refused') continue;
    // If the gateway refuses for another reason than before, it has accepted the signature.
    const isRight = means === 'address_not_registered' || means === 'unknown_account';
    return { findings: [...(isRight ? found : []), whyNot(reaction, means)], signing: undefined };
  }
  return { findings: allRefused(first, evidence), signing: undefined };
}

/**
 * The signings to try: first the corrected secret, then those found in the gateway's own signatures, then the common
 * ones.
 */
function waysOf({ profile: { signing: file }, isSecretPadded }: Given, { answers, requests }: SigningEvidence): Way[] {
  const likely = [...(requests ? [requests.signing] : []), ...(answers ? requestsLike(answers.signing, file) : [])];
  const known = new Set([keyOf(file)]);
  const signings = [...likely, ...signingAlternatives(file)].filter((signing) => {
    const key = keyOf(signing);
    return !known.has(key) && known.add(key);
  });
  return [
    ...(isSecretPadded ? [{ signing: file, isTrimmed: true } as const] : []),
    ...signings.map((signing) => ({ signing })),
  ];
}

function evidenceOf(reaction: Reaction): SigningEvidence {
  return (reaction.kind === 'answered' || reaction.kind === 'refused' ? reaction.evidence : undefined) ?? {};
}

function wordsOf(reaction: Reaction): string {
  if (reaction.kind === 'refused') return reaction.text;
  return reaction.kind === 'answered' ? reaction.returnMessage : '';
}

const SECRET = { setting: 'accounts[].signing_secret' };
const PADDED = wrong(
  'signing secret',
  'the account’s signing_secret has white space around it, such as a newline; the gateway takes it without',
  'Take it out of the variable: printf instead of echo.',
  SECRET,
);

/** The findings if the gateway accepted no signing: the causes, most probable first. */
function allRefused(first: Reaction, { answers }: SigningEvidence): Finding[] {
  const why = `${inWords(first)}, and to every other form that was tried it said no too`;
  const next =
    'Get one signed message with its secret from the gateway’s operator: turnpike doctor sign finds any form that a profile can have. ' +
    'A header that is missing (gateway.headers) and a code that is not listed (gateway.profile.codes.return_status) can look the same.';
  const refused: Finding = { ...cannotTell(CHECK, why, next), status: 'wrong' };
  // An answer with a matching signature proves the secret.
  if (answers !== undefined) return [refused];
  return [
    refused,
    unknown(
      'signing secret',
      'a wrong secret is refused in the same way: that of another environment or account, or one with a newline at its end',
      'Compare it with the operator’s. turnpike doctor sign finds it, too: it needs a message that was signed with the right one.',
    ),
    unknown(
      'registered address',
      'an address that is not registered may be refused in the same way',
      'Have the outgoing addresses of the relay’s machine registered with the gateway, and run this there.',
    ),
  ];
}

function filterFinding(asked: readonly string[], reaction: Reaction, { query_requires: file }: Profile): Finding {
  const found = wrongSetting(
    'filters of queries',
    { setting: 'gateway.profile.query_requires', works: [asked.length > 0 ? widened(asked) : []], file },
    'Ask the gateway’s operator to take queries by orders alone: the relay’s own queries name nothing else, and find no lost payment without them.',
  );
  return { ...found, says: `${inWords(reaction)}: ${found.says}` };
}

/** A query with the start of a period must also have its end. */
function widened(asked: readonly string[]): readonly string[] {
  const isDated = asked.some((name) => name === 'query_start' || name === 'query_end');
  return [...new Set([...asked, ...(isDated ? ['query_start', 'query_end'] : [])])];
}

type Taken = 'taken' | 'taken_by_words' | 'absent';

/** Whether the gateway answered the query. */
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

/** Why a query gives no evidence about the signature. */
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
    case 'asks_for_filter':
      return wrong('filters of queries', says, 'Ask the gateway’s operator which filters a query must name.', {
        setting: 'gateway.profile.query_requires',
      });
    case 'asks_for_header':
      return wrong('headers', says, 'Set what it names in gateway.headers.', { setting: 'gateway.headers' });
    case 'limited':
      return unknown(CHECK, says, 'Nothing more was sent. Wait, or ask the gateway’s operator.');
    case 'no_evidence':
      if (reaction.kind === 'unsignable') {
        return wrong(CHECK, says, 'Add it, and run this again.', { setting: 'gateway.profile.signing' });
      }
      if (reaction.kind === 'unreadable' && reaction.why === WRONG_ENCODING) {
        return wrong(
          'encoding of answers',
          'the bytes of the answer are wrong in the encoding that it declares, which is UTF-8 where it declares none',
          'Have the gateway’s operator name the charset in the Content-Type, such as charset=iso-8859-1. No setting of the relay does.',
        );
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
    { setting: `${root}.empty`, works: works.empty ?? 'keep', file: file.empty ?? 'keep' },
  ];
  return parts.flatMap((part) =>
    JSON.stringify(part.works) === JSON.stringify(part.file)
      ? []
      : [wrongSetting(CHECK, part, 'Set it for queries, and check that it holds for every other operation too.')],
  );
}
