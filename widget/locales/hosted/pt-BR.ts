import type { HostedTexts } from '../messages.ts';

export const hostedPtBR: HostedTexts = {
  order_summary: 'Resumo do pedido',
  further: 'Mais itens: {count}',
  item_total: 'Subtotal',
  discount: 'Desconto',
  shipping: 'Frete',
  shipping_discount: 'Desconto no frete',
  handling: 'Taxa de manuseio',
  insurance: 'Seguro',
  tax_total: 'Impostos',
  total: 'Total',
  returning: 'Você voltará para {merchant} em 3 segundos.',
  try_again: 'Tentar de novo',
  check_again: 'Verificar de novo',
};
