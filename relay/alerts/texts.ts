import type { AttentionKind } from '../../shared/api/attention.ts';
import type { Recipient } from '../config/alerts.ts';

/** The texts of alerts by mail. */
export type AlertTexts = {
  /** The console has the same names. */
  kinds: Record<AttentionKind, string>;
  needsYou: (count: string) => string;
  waiting: (count: string) => string;
  since: string;
  more: string;
  console: string;
  summary: (day: string) => string;
  payments: string;
  approvalRate: string;
  gross: string;
  net: string;
  refunds: string;
  none: string;
  open: string;
  nothingOpen: string;
  differences: (orders: number, count: number) => string;
};

export const texts: Record<Recipient['language'], AlertTexts> = {
  en: {
    kinds: {
      paid_twice: 'Paid twice',
      payment_reversed: 'Reversed by the gateway',
      payment_unconfirmed: 'Not in the gateway’s records',
      payment_held: 'Held for review',
      payment_authorised: 'Authorised for too long',
      charge_failed: 'Charges of contracts that failed',
      order_unknown: 'Not known for too long',
      order_contradicted: 'Contradicted by the gateway',
      order_overdue: 'Pending after its time',
      operation_unknown: 'Operations to settle',
      approval: 'Waiting for approval',
      difference: 'Differences of the last reconciliation',
      webhook_failed: 'Webhooks given up',
      order_asked: 'Not known yet',
      operation_asked: 'Operations not known yet',
      order_pending: 'Pending',
    },
    needsYou: (count) => `${count} new: needs you`,
    waiting: (count) => `${count} in all`,
    since: 'since',
    more: 'The console lists the others.',
    console: 'Console',
    summary: (day) => `Summary of ${day} (UTC)`,
    payments: 'Attempts to pay',
    approvalRate: 'Approval rate',
    gross: 'Paid',
    net: 'Paid, without what was returned since',
    refunds: 'Refunds',
    none: 'none',
    open: 'Needs you',
    nothingOpen: 'Nothing needs you.',
    differences: (orders, count) => `Last reconciliation: orders compared ${orders}, differences ${count}`,
  },
  'pt-BR': {
    kinds: {
      paid_twice: 'Pagos duas vezes',
      payment_reversed: 'Revertidos pelo gateway',
      payment_unconfirmed: 'Fora dos registros do gateway',
      payment_held: 'Retidos para análise',
      payment_authorised: 'Autorizados há tempo demais',
      charge_failed: 'Cobranças de assinatura recusadas',
      order_unknown: 'Indefinidos há tempo demais',
      order_contradicted: 'Em contradição com o gateway',
      order_overdue: 'Pendentes além do prazo',
      operation_unknown: 'Operações a concluir',
      approval: 'Aguardando aprovação',
      difference: 'Diferenças da última conciliação',
      webhook_failed: 'Webhooks não entregues',
      order_asked: 'Ainda não se sabe',
      operation_asked: 'Operações ainda indefinidas',
      order_pending: 'Pendentes',
    },
    needsYou: (count) => `${count} novos: precisam de você`,
    waiting: (count) => `${count} ao todo`,
    since: 'desde',
    more: 'O console lista os demais.',
    console: 'Console',
    summary: (day) => `Resumo de ${day} (UTC)`,
    payments: 'Tentativas de pagamento',
    approvalRate: 'Taxa de aprovação',
    gross: 'Pago',
    net: 'Pago, sem o que foi devolvido depois',
    refunds: 'Reembolsos',
    none: 'nenhum',
    open: 'Precisa de você',
    nothingOpen: 'Nada precisa de você.',
    differences: (orders, count) => `Última conciliação: pedidos comparados ${orders}, diferenças ${count}`,
  },
};
