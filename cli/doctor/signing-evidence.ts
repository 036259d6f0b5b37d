import { decodeLoosely } from '../../relay/gateway/answers/decode-answer.ts';
import { readJsonAnswer } from '../../relay/gateway/answers/json-answer.ts';
import type { Exchange } from '../../relay/gateway/client.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { SigningEvidence } from './reaction.ts';
import { readSignature } from './sign/forms.ts';
import { type Sample, solve } from './sign/search.ts';
import type { SecretForm } from './sign/secret-forms.ts';

/** The signed request and its answer. */
export type Seen = {
  operation: OperationName;
  request: Message;
  signature: string;
  exchange: Exchange | undefined;
};

/** The maximum number of texts in a refusal that are tried as a signature. */
const MAX_QUOTED = 3;
const SEARCH_MS = 10_000;

/**
 * Finds the gateway's signing from the signatures in its own messages, offline: from the signature of an answer, and
 * from the expected signature in a refusal. Each kind is searched once, because the next message would show nothing
 * new.
 */
export function createOracle(secrets: readonly SecretForm[], now: () => number): (seen: Seen) => SigningEvidence {
  const values = secrets.map(({ value }) => value);
  const evidence: SigningEvidence = {};
  const searched = new Set<keyof SigningEvidence>();
  const search = (what: keyof SigningEvidence, samples: readonly Sample[]): void => {
    if (samples.length === 0 || searched.has(what)) return;
    searched.add(what);
    for (const sample of samples) {
      const [fit] = solve(sample, values, { budgetMs: SEARCH_MS, now }).fits;
      if (!fit) continue;
      const differs = secrets.find(({ value }) => value === fit.secret)?.differs;
      evidence[what] = { signing: fit.signing, ...(differs === undefined ? {} : { secret: differs }) };
      return;
    }
  };
  return ({ operation, request, signature, exchange }) => {
    if (exchange?.kind !== 'answered') return evidence;
    const { status, body, contentType } = exchange;
    const answer = readJsonAnswer(body, contentType);
    const own = typeof answer === 'string' ? undefined : answer.encryption_data;
    // Some gateways send the request's own signature back.
    if (typeof answer !== 'string' && typeof own === 'string' && own !== '' && own !== signature) {
      search('answers', [{ operation, direction: 'answer', message: answer, signature: own }]);
    }
    const words = status === 200 && typeof answer !== 'string' ? String(answer.return_message ?? '') : undefined;
    const text = words ?? decodeLoosely(body.subarray(0, 4096), contentType);
    const expected = signaturesIn(text).filter((one) => one !== signature && one !== own);
    search(
      'requests',
      expected.map((one) => ({ operation, direction: 'request', message: request, signature: one })),
    );
    return evidence;
  };
}

function signaturesIn(text: string): string[] {
  const texts = text.match(/[\w+/-]{22,}={0,2}/g) ?? [];
  return [...new Set(texts)].filter((one) => readSignature(one) !== undefined).slice(0, MAX_QUOTED);
}

/** The secrets, in words, that a gateway may have used instead of an account's own. */
export function secretsBeside(
  account: { id: string; signingSecret: string },
  accounts: readonly { id: string; signingSecret: string }[],
): SecretForm[] {
  const { signingSecret: value } = account;
  const forms: SecretForm[] = [
    { value },
    { value: value.trim(), differs: 'the account’s signing_secret without the white space around it' },
    { value: `${value}\n`, differs: 'the account’s signing_secret with a newline at its end' },
    ...accounts.map(({ id, signingSecret }) => ({
      value: signingSecret,
      differs: `the signing_secret of the account ${id}`,
    })),
  ];
  return forms.filter((form, at) => forms.findIndex((one) => one.value === form.value) === at);
}
