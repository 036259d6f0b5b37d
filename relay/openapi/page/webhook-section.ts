import { refTo } from '../schemas/json-schema.ts';
import { type WebhookDoc, webhookExample } from '../webhooks.ts';
import { jsonCode } from './code.ts';
import { fieldsOf } from './fields.ts';
import { type Html, html, prose } from './html.ts';
import type { PageFacts } from './route-section.ts';

/** The id of a webhook's section: `webhook-session-paid-twice`. */
export const webhookId = ({ type }: WebhookDoc): string => `webhook-${type.replaceAll(/[._]/g, '-')}`;

/** One webhook: what it tells on the left, its body on the right. */
export function webhookSection(doc: WebhookDoc, facts: PageFacts): Html {
  const id = webhookId(doc);
  return html`<section class="route" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title"><a class="title-link" href="#${id}">${doc.summary}</a></h3>
<p class="address"><code>${doc.type}</code></p>
${prose(doc.description)}
<h4>Data</h4>
${dataOf(doc, facts)}
</div>
<div class="samples">
<h4>Body</h4>
${jsonCode(webhookExample(doc.type))}
</div>
</section>`;
}

function dataOf({ of, more }: WebhookDoc, { schemas }: PageFacts): Html {
  const beside = more && fieldsOf(more, schemas);
  switch (of) {
    case 'Session':
      return html`<p>The session as it was then, as <a href="#getSession"><code>GET /v1/sessions/{id}</code></a> answers it.</p>${beside}`;
    case 'Operation':
      return html`<p>The operation as it was then, as <a href="#getOperation"><code>GET /v1/operations/{id}</code></a> answers it.</p>${beside}`;
    case 'NotificationReceived':
    case 'OperationCompleted':
      return fieldsOf(refTo(of), schemas);
  }
}
