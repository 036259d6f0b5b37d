import type { Profile } from '../../relay/gateway/profile.ts';
import type { ConcatScheme, Signing } from '../../relay/gateway/signing/signing-setting.ts';
import { cannotTell, type Finding, ok, skipped, wrong, wrongSetting } from './finding.ts';
import { inWords, meaningOf, type Reaction, type SigningFound } from './reaction.ts';

/** Further findings of the answer: its code, and whether its own signature matches the file. */
export function answerFindings(reaction: Reaction, profile: Profile): Finding[] {
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

const ANSWERS = 'signature of answers';

function signatureFinding({ signature, evidence }: Extract<Reaction, { kind: 'answered' }>, profile: Profile): Finding {
  const file = profile.verify.query;
  if (file === 'off') return skipped(ANSWERS, 'gateway.profile.verify.query is off');
  const found = evidence?.answers;
  switch (signature) {
    case undefined:
      return {
        ...ok(ANSWERS, `the answer’s signature is as gateway.profile.verify.query asks (${file})`),
        next: unchecked(found, profile),
      };
    case 'signature_missing':
      return wrongSetting(
        ANSWERS,
        { setting: 'gateway.profile.verify.query', works: 'if_present', file },
        'Have the gateway’s operator confirm that answers to queries are not signed.',
      );
    case 'signature_wrong':
    case 'signature_not_checkable':
      return found ? foundFinding(found, profile.signing) : unfoundFinding();
  }
}

/** The answer is not checked if the profile does not name the signed fields of answers. */
function unchecked(found: SigningFound | undefined, { signing }: Profile): string | undefined {
  if (found?.signing.scheme !== 'concat' || signing.scheme !== 'concat' || signing.answer_fields.query)
    return undefined;
  return `It is not checked. To check it, set ${ANSWER_FIELDS} to ${JSON.stringify(found.signing.answer_fields.query)}.`;
}

const ANSWER_FIELDS = 'gateway.profile.signing.answer_fields.query';

/** The signing of the answer, if the file does not define it. */
function foundFinding({ signing, secret }: SigningFound, file: Signing): Finding {
  if (secret !== undefined) return secretFinding(secret);
  if (signing.scheme !== 'concat' || file.scheme !== 'concat' || !isSameForm(signing, file)) {
    const about = { setting: 'gateway.profile.signing', works: signing, file };
    return wrong(
      ANSWERS,
      `answers are signed otherwise than requests: by ${JSON.stringify(signing)}`,
      'A profile has one form for both: it takes a module, or gateway.profile.verify.query "off".',
      about,
    );
  }
  const { answer_fields } = signing;
  const about = { setting: ANSWER_FIELDS, works: answer_fields.query, file: file.answer_fields.query };
  return wrongSetting(
    ANSWERS,
    about,
    'Set it for queries, and find the fields of other answers with turnpike doctor sign.',
  );
}

function isSameForm(one: ConcatScheme, other: ConcatScheme): boolean {
  const form = ({ algorithm, separator, secret, output, empty = 'keep' }: ConcatScheme): string =>
    JSON.stringify([algorithm, separator, secret, output, empty]);
  return form(one) === form(other);
}

function unfoundFinding(): Finding {
  return wrong(
    ANSWERS,
    'the answer’s signature is not what the file’s signing makes of it, although the request’s is right',
    'Ask the gateway’s operator how answers are signed: gateway.profile.signing.answer_fields, or gateway.profile.verify.query "off".',
    { setting: 'gateway.profile.signing' },
  );
}

/** The finding that the gateway uses another secret than the account's, by the signature of an answer. */
export function secretFinding(found: string): Finding {
  return wrong(
    'signing secret',
    `the gateway signs its answers with ${found}`,
    'Correct what accounts[].signing_secret names.',
    { setting: 'accounts[].signing_secret' },
  );
}

const RECORDS = 'records of a query';
const CONFIRM = 'Have the gateway’s operator confirm that this is how it answers where it has no such order.';

/** The finding about the answer to a query for an order that does not exist: it must contain an empty list. */
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
