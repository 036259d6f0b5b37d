import type { Response } from 'express';
import { type OperationName, operations } from '../../shared/gateway/operations.ts';
import { type Message, sign } from '../../shared/gateway/signature.ts';
import type { Answer } from './handler.ts';
import type { LoggedAnswer } from './messages.ts';
import { indentRespon, writeRespon } from './xml.ts';

/** What the gateway makes of a message. */
export type Verdict =
  | { kind: 'refused'; status: 400 | 404; reason: string }
  | { kind: 'accepted'; name: OperationName; answer: Answer; secret: string };

type Tell = (answer: LoggedAnswer) => void;

/** Answers as the verdict says, at once, late or never, and tells what became of it. */
export function reply(response: Response, verdict: Verdict, tell: Tell): void {
  if (verdict.kind === 'refused') {
    const { status, reason } = verdict;
    tell({ state: 'sent', status, summary: reason, body: reason });
    response.status(status).type('text/plain').send(reason);
    return;
  }
  const { name, answer, secret } = verdict;
  switch (answer.kind) {
    case 'now':
      send(response, name, signed(answer.fields, secret), tell);
      break;
    case 'late': {
      const timer = setTimeout(() => send(response, name, signed(answer.fields, secret), tell), answer.ms);
      response.once('close', () => clearTimeout(timer));
      tellWhenGone(response, tell);
      break;
    }
    case 'never':
      tellWhenGone(response, tell);
  }
}

function send(response: Response, name: OperationName, message: Message, tell: Tell): void {
  const { result_info, return_message, issuer_url } = message;
  const summary = String(result_info ?? return_message ?? (issuer_url && 'Sent to the issuer'));
  switch (operations[name].answerFormat) {
    case 'xml': {
      const xml = writeRespon(message);
      tell({ state: 'sent', status: 200, summary, body: indentRespon(xml) });
      response.type('application/xml').send(xml);
      return;
    }
    case 'json':
      tell({ state: 'sent', status: 200, summary, body: JSON.stringify(message, undefined, 2) });
      response.json(message);
  }
}

function signed(fields: Message, secret: string): Message {
  return { ...fields, encryption_data: sign(fields, secret) };
}

function tellWhenGone(response: Response, tell: Tell): void {
  response.once('close', () => {
    if (!response.writableEnded) tell({ state: 'gone' });
  });
}
