import type { audit as englishAudit, webhooks as englishWebhooks } from './en-records.ts';

/** The words of the webhooks, in Brazilian Portuguese. */
export const webhooks: typeof englishWebhooks = {
  none: 'Ainda não há webhooks. Eles aparecem aqui quando o relay avisa seu servidor sobre pagamentos.',
  none_found: 'Nenhum webhook corresponde a este filtro.',
  acknowledge: 'Marcar como resolvido',
  type: 'Tipo',
  any_type: 'Qualquer tipo',
  actions: 'Ações',
  tries: 'Tentativas',
  fault: 'Última tentativa:',
  next_try: 'Próxima tentativa',
  delivered_at: 'Entregue',
  failed_at: 'Desistência',
  acknowledged_at: 'Resolvido',
  acknowledged_by: 'Por',
  id: 'Webhook',
  body: 'Corpo',
  statuses: { pending: 'Aguardando', delivered: 'Entregue', failed: 'Falhou', acknowledged: 'Resolvido' },
  redeliver_all: 'Enviar todos de novo',
  more_than: (count) => `mais de ${count}`,
  which: { failed: 'com falha', acknowledged: 'marcados como resolvidos' },
  redeliver_sentence: (count, which, type) =>
    `Enviar de novo ${count} ${count === '1' ? 'webhook' : 'webhooks'} ${which}${type === undefined ? '' : ` do tipo ${type}`}`,
  so_far: (count) => `${count} até agora. Mantenha isto aberto até que todos estejam a caminho.`,
  redelivered: (count) =>
    count === 1 ? '1 webhook será enviado de novo.' : `${count} webhooks serão enviados de novo.`,
  unanswered: 'Não houve resposta. Continue: o relay faz o mesmo pedido uma única vez.',
  go_on: 'Continuar',
};

/** The words of the audit log, in Brazilian Portuguese. */
export const audit: typeof englishAudit = {
  who: 'Quem',
  what: 'O quê',
  about: 'Sobre',
  from: 'De onde',
  refused: (code) => `recusado: ${code}`,
  none: 'Ninguém fez nada ainda.',
  none_found: 'Nenhum registro corresponde a este filtro.',
  by: 'Quem, por exemplo person:Ada',
  order_no: 'Número do pedido',
  actions: {
    refund: 'Reembolsou',
    review: 'Enviou uma revisão',
    capture: 'Capturou',
    cancel: 'Cancelou um pagamento',
    subscription_cancel: 'Encerrou uma assinatura',
    payout: 'Fez um repasse',
    'operation.settle': 'Concluiu uma operação',
    'session.settle': 'Concluiu um pagamento',
    'session.expire': 'Fechou um checkout',
    'order.reconcile': 'Consultou o gateway',
    'event.redeliver': 'Enviou um webhook de novo',
    'event.acknowledge': 'Resolveu um webhook',
    'events.redeliver': 'Enviou webhooks de novo',
    'reconciliation.report': 'Informou uma conciliação',
    'console.sign_in': 'Entrou',
    'console.sign_out': 'Saiu',
  },
};
