import type { Words } from './en.ts';

export const home: Words['home'] = {
  all_well: 'Nada precisa de você.',
  looked: 'Última verificação:',
  case: 'Caso',
  since: 'Desde',
  kinds: {
    paid_twice: 'Pagos duas vezes',
    order_unknown: 'Indefinidos há tempo demais',
    order_contradicted: 'Em contradição com o gateway',
    order_overdue: 'Pendentes além do prazo',
    operation_unknown: 'Operações a concluir',
    difference: 'Diferenças da última conciliação',
    webhook_failed: 'Webhooks não entregues',
    order_asked: 'Ainda não se sabe',
    operation_asked: 'Operações ainda indefinidas',
    order_pending: 'Pendentes',
  },
  todo: {
    paid_twice: 'Reembolse o pagamento indevido.',
    order_unknown: 'Consulte o gateway e conclua conforme o que o portal dele mostra.',
    order_contradicted: 'Verifique no portal do gateway e conclua conforme o que ele mostra.',
    order_overdue: 'Consulte o gateway e conclua conforme o que o portal dele mostra.',
    operation_unknown: 'Verifique no portal do gateway o que foi feito e conclua cada item. Não envie de novo.',
    difference: 'Compare com o portal do gateway.',
    webhook_failed: 'Descubra por que seu servidor não aceitou e envie de novo.',
    order_asked: 'Nada a fazer por enquanto: o relay continua consultando o gateway.',
    operation_asked: 'Nada a fazer por enquanto: o relay continua consultando o gateway. Não envie de novo.',
    order_pending: 'Nada a fazer por enquanto: o gateway avisa quando o dinheiro chegar ou não vier.',
  },
  contradicted: {
    amount_differs: 'O gateway tem outro valor: compare os dois no portal dele e conclua.',
    paid_before: 'O gateway tem um pagamento antigo deste pedido: descubra de quem é e conclua.',
    record_declined: 'Foi concluído como pago, mas o gateway recusou: não envie o produto antes de o portal confirmar.',
  },
  differences: {
    missing_here: 'O gateway tem um pagamento que o relay não conhece: consulte o gateway na página do pedido.',
    order_unknown_here: 'O relay não tem esse pedido: envie ou reembolse manualmente.',
    missing_there: 'O gateway não conhece este pagamento: não envie o produto e fale com a operadora do gateway.',
    amount: 'O gateway tem outro valor: verifique no portal dele.',
    currency: 'O gateway tem outra moeda: verifique no portal dele.',
    status: 'Um diz pago, o outro não: consulte o gateway na página do pedido.',
    second_payment: 'O gateway tem um segundo pagamento: consulte-o na página do pedido e reembolse um dos dois.',
    refund_missing_here: 'Reembolsado no portal do gateway? Registre na loja e não reembolse de novo.',
    refund_missing_there: 'O gateway não conhece este reembolso: fale com a operadora do gateway.',
  },
  items: (count: number) => `${count} itens`,
  first: (shown: number, count: string) => `Os primeiros ${shown} de ${count}.`,
  more: (count: number) => `Mostrar mais ${count}`,
  all: 'Ver todos',
  by_itself: (count: string) => `O relay está averiguando sozinho: ${count}`,
  reconciled: 'Última conciliação:',
  compared: (orders: number, differences: number) =>
    `${orders === 1 ? '1 pedido comparado' : `${orders} pedidos comparados`}, ${
      differences === 0 ? 'nenhuma diferença' : differences === 1 ? '1 diferença' : `${differences} diferenças`
    }.`,
  never_reconciled: 'Ainda não houve conciliação: o comando turnpike reconcile faz uma.',
};

export const whyUnknown: Words['why_unknown'] = {
  reasons: {
    timeout: 'O gateway não respondeu a tempo.',
    connection_lost: 'A conexão caiu antes da resposta do gateway.',
    relay_stopped: 'O relay parou antes de a resposta chegar.',
    codes_not_listed: 'O gateway respondeu com um código que o perfil do relay não lista.',
    http_status: 'O gateway respondeu com um erro.',
    refused: 'O gateway não aceitou, mas mesmo assim pode ter feito algo.',
  },
  other: 'A resposta do gateway não pode ser usada:',
  looks: (count: number) => (count === 1 ? 'Consultado uma vez' : `Consultado ${count} vezes`),
  last: 'por último',
  sent: 'Resposta do gateway',
  asked: 'Solicitação',
};
