import type { Profile } from '../../relay/gateway/profile.ts';
import { cannotTell, type Finding, skipped, wrongSetting } from '../base/finding.ts';
import { inWords, meaningOf, type Reaction } from './reaction.ts';

/** What the answer tells besides: its code, and whether its own signature is as the file says. */
export function answerFindings(reaction: Reaction, profile: Profile): Finding[] {
  if (reaction.kind !== 'answered') return [];
  return [registered, codeFinding(reaction, profile), signatureFinding(reaction, profile)];
}

const registered: Finding = {
  check: 'registered address',
  status: 'ok',
  says: 'the gateway answers queries from this machine; the relay’s must be registered too',
};

function codeFinding(reaction: Extract<Reaction, { kind: 'answered' }>, { codes }: Profile): Finding {
  const check = 'code of a query';
  const { success, failed } = codes.return_status;
  const status = reaction.returnStatus;
  if (success.includes(status))
    return { check, status: 'ok', says: `return_status ${JSON.stringify(status)} is success` };
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
      return { check, status: 'ok', says: `the answer’s signature is as gateway.profile.verify.query asks (${file})` };
    case 'signature_missing':
      return wrongSetting(
        check,
        { setting: 'gateway.profile.verify.query', works: 'if_present', file },
        'Have the gateway’s operator confirm that answers to queries are not signed.',
      );
    case 'signature_wrong':
    case 'signature_not_checkable':
      return {
        check,
        status: 'wrong',
        setting: 'gateway.profile.signing',
        says: 'the answer’s signature is not what the file’s signing makes of it, although the request’s is right',
        next: 'Ask the gateway’s operator how answers are signed: gateway.profile.signing.answer_fields, or gateway.profile.verify.query "off".',
      };
  }
}
