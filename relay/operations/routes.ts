import { Router } from 'express';
import type { FieldError } from '../../shared/checkout/problem.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { accountIn, requireKey } from '../api-keys.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import type { Called } from '../gateway/call.ts';
import type { Profile } from '../gateway/profile.ts';
import { redactValue } from '../gateway/redact.ts';
import { addRoute, jsonBody, parseBody } from '../http.ts';
import type { Account } from '../load-config.ts';

/** The server-side API of every operation that has a route in the operation table (design 4.1). */
export function operationRoutes(context: Context): Router {
  const router = Router();
  for (const name of operationNames) {
    const operation: Operation = operations[name];
    const { route } = operation;
    if (!route) continue;
    addRoute(router, route.path, {
      post: [
        requireKey(context, route.scope),
        jsonBody,
        async (req, res) => {
          const account = accountIn(res);
          const message = messageOf(operation, parseBody(route.body, req.body), context.config.gateway.profile);
          const called = await context.call(name, account, message);
          res.set('Cache-Control', 'no-store').json(answerOf(name, account, called));
        },
      ],
    });
  }
  return router;
}

function messageOf(operation: Operation, body: Message, profile: Profile): Message {
  const errors: FieldError[] = [];
  const message: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(body)) {
    const limit = operation.lists[field];
    if (limit === undefined || !Array.isArray(value)) {
      message[field] = value;
      continue;
    }
    if (value.length > limit) {
      throw new ProblemError('batch_too_large', `Send at most ${limit} entries in ${field}.`, {
        errors: [{ path: field, message: `has ${value.length} entries; at most ${limit} are allowed` }],
      });
    }
    for (const [at, entry] of value.entries()) {
      if (String(entry).includes(profile.list_separator)) {
        errors.push({ path: `${field}.${at}`, message: `must not contain "${profile.list_separator}"` });
      }
    }
    if (value.length > 0) message[field] = value.join(profile.list_separator);
  }
  if (operation.needsFilter && !profile.query_requires.some((group) => has(message, group))) {
    const groups = profile.query_requires.map((group) => group.join(' with ')).join(', or ');
    errors.push({ path: '', message: `give at least one of: ${groups}` });
  }
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the fields that are named.', { errors });
  return message;
}

function has(message: Message, fields: readonly string[]): boolean {
  return fields.every((field) => message[field] !== undefined && message[field] !== '');
}

/** The gateway's message with its own field names, unknown ones kept, without card data. Throws ProblemError. */
function answerOf(name: OperationName, account: Account, called: Called): unknown {
  switch (called.kind) {
    case 'not_sent':
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be reached; nothing was sent. Try again.');
    case 'refused':
      throw new ProblemError('gateway_answer_unusable', `The gateway refused the ${name} with HTTP ${called.status}.`);
    case 'unusable':
      throw called.fault === 'timeout'
        ? new ProblemError('gateway_timeout', 'The gateway did not answer in time. Try again.')
        : new ProblemError('gateway_answer_unusable', `The gateway’s answer cannot be used: ${called.fault}.`);
    case 'answer': {
      const { merchant_id = account.merchant_id, account_id = account.account_id } = called.message;
      if (merchant_id !== account.merchant_id || account_id !== account.account_id) {
        throw new ProblemError('gateway_answer_unusable', 'The gateway answered for another account.');
      }
      return redactValue(called.message);
    }
  }
}
