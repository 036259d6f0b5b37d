import type { ConcatScheme, Signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { type Finding, ok, skipped, unknown, wrong } from '../finding.ts';
import { ownFields, type Subject } from './field-orders.ts';
import { readSignature } from './forms.ts';
import type { ReadMessage } from './read-message.ts';
import type { Fit, Solved } from './search.ts';
import type { SecretForm } from './secret-forms.ts';

/** The input of the search. */
type Searched = {
  subject: Subject;
  form: ReadMessage['form'];
  signature: string;
  secrets: readonly SecretForm[];
};

const SETTING = 'gateway.profile.signing';

/** The findings of a search. They contain neither the secret nor a signature. */
export function signedFindings(searched: Searched, solved: Solved): Finding[] {
  const [first] = solved.fits;
  return [
    messageFinding(searched),
    signingFinding(searched, solved),
    ...(first ? [...secretFindings(first, searched), ...formFindings(searched), ...unproved(first, searched)] : []),
    ...notTried(solved),
  ];
}

function messageFinding({ subject, form }: Searched): Finding {
  const { operation, direction } = subject;
  const written = form === 'form' ? 'form' : form.toUpperCase();
  const says = `the ${direction} of ${operation} (${written}), with ${ownFields(subject).length} fields`;
  return { ...ok('message', says), next: 'If it is of another operation, name that with --operation.' };
}

function signingFinding({ subject }: Searched, { fits, tried }: Solved): Finding {
  const check = 'signing';
  const [first, ...others] = fits;
  if (!first) {
    return unknown(
      check,
      `no signing that a profile can say makes this signature; ${tried} were tried`,
      'Check that the secret is of this account and environment, and that message and signature are of one call, unchanged. ' +
        'If they are, ask the gateway’s operator for the text that is signed: gateway.profile.signing may need a module.',
    );
  }
  const about = { setting: SETTING, works: first.signing };
  if (others.length === 0) return { ...ok(check, inWords(first.signing, subject)), ...about };
  return {
    ...unknown(
      check,
      `${fits.length} signings fit, and this message cannot tell them apart: ${fits.map(({ signing }) => inWords(signing, subject)).join('; or ')}`,
      'Run it again with another signed message, in which these fields have different values.',
    ),
    ...about,
    works: fits.map(({ signing }) => signing),
  };
}

/** A signing in one line. */
function inWords(signing: Signing, subject: Subject): string {
  if (signing.scheme !== 'concat') return 'canonical, the default of the relay';
  const { algorithm, secret, separator, output, empty } = signing;
  const place = { append: 'the secret at the end', prepend: 'the secret first', key: 'the secret as key' }[secret];
  const joined = separator === '' ? 'without a separator' : `joined by ${JSON.stringify(separator)}`;
  const form = `${algorithm} in ${output}, ${place}, ${joined}${empty === 'omit' ? ', empty fields left out' : ''}`;
  return `${form}, of ${fieldsOf(signing, subject).join(', ')}`;
}

function fieldsOf({ fields, answer_fields }: ConcatScheme, { operation, direction }: Subject): readonly string[] {
  return (direction === 'request' ? fields : answer_fields)[operation] ?? [];
}

function secretFindings({ secret }: Fit, { secrets }: Searched): Finding[] {
  const differs = secrets.find(({ value }) => value === secret)?.differs;
  if (differs === undefined) return [ok('secret', 'the file’s secret makes the signature, as the relay reads it')];
  const next =
    'The relay leaves white space around the content of a file out, and takes a variable’s value as it is. Have the gateway’s ' +
    'operator correct the secret, or give the relay one that is equal: accounts[].signing_secret.';
  return [wrong('secret', `the file’s secret makes the signature only ${differs}`, next)];
}

function formFindings({ signature }: Searched): Finding[] {
  if (readSignature(signature)?.output !== undefined) return [];
  const says = 'the signature is written as neither hex, HEX nor base64: mixed case, or base64 without its signs + / =';
  return [wrong('output', says, `No value of ${SETTING}.output writes it: it takes a module.`)];
}

/** The settings that this message cannot prove although a signing matches. */
function unproved({ signing }: Fit, { subject }: Searched): Finding[] {
  if (signing.scheme !== 'concat') return [];
  const fields = fieldsOf(signing, subject);
  const isTraceless = signing.separator === '' || signing.empty === 'omit';
  const open = [
    ...(signing.secret === 'key' && fields.length === 1 ? ['the separator, because one part is signed'] : []),
    isTraceless
      ? 'whether fields are signed that are empty or absent here'
      : fields.some((name) => (subject.message[name] ?? '') === '')
        ? undefined
        : 'how empty fields are signed, because none is signed here',
    'the fields of other operations',
  ];
  return [skipped('left open', `this message does not show ${open.filter(Boolean).join('; ')}`)];
}

/** The parts that the search skipped. A search ends with the first matching signing. */
function notTried({ fits, stages }: Solved): Finding[] {
  if (fits.length === 1) return [];
  const cut = stages.flatMap(({ name, done }) =>
    done === 'whole' ? [] : [done === 'part' ? `${name} (a part was tried)` : name],
  );
  const never = [
    'names of fields in the signed text',
    'a secret in its middle or in it twice',
    'a key given in hex or base64',
    'a hash of a hash, and other canonical forms',
    'parts of nested objects',
    'separators that docs/cli.md does not name',
  ];
  const says = [...(fits.length > 0 ? [] : cut), ...never].join('; ');
  return [skipped('not tried', says, 'What a profile cannot say takes a module: docs/gateway-profile.md.')];
}

/** The part of the relay’s settings to paste; undefined if no signing matches, or several do. */
export function fragmentOf({ fits }: Solved): string | undefined {
  const [first, ...others] = fits;
  if (!first || others.length > 0) return undefined;
  return JSON.stringify({ gateway: { profile: { signing: first.signing } } }, undefined, 2);
}
