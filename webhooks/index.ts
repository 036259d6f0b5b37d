export type { EventType, NotificationReceived, OperationCompleted } from '../shared/api/event.ts';
export type { OperationAnswer } from '../shared/api/operation.ts';
export type { SessionAnswer } from '../shared/api/session.ts';
export type { WebhookData, WebhookEvent } from '../shared/api/webhook.ts';
export type { WebhookHeaders } from './headers.ts';
export { VerifierMisused, WebhookRefused, type WebhookRefusedCode } from './headers.ts';
export {
  createVerifier,
  type KnownWebhook,
  type UnknownWebhook,
  type Verifier,
  type VerifierOptions,
  type Webhook,
} from './verifier.ts';
