export type { OperationAnswer } from '../shared/api/operation.ts';
export type { SessionAnswer } from '../shared/api/session.ts';
export type {
  EventType,
  NotificationReceived,
  OperationCompleted,
  WebhookData,
  WebhookEvent,
} from '../shared/api/webhook.ts';
export {
  createVerifier,
  type KnownWebhook,
  type UnknownWebhook,
  type Verifier,
  VerifierMisused,
  type VerifierOptions,
  type Webhook,
  type WebhookHeaders,
  WebhookRefused,
  type WebhookRefusedCode,
} from './verifier.ts';
