import type { HostedTexts } from '../messages.ts';

export const hostedPtPT: HostedTexts = {
  order_summary: 'Resumo da encomenda',
  further: 'Mais artigos: {count}',
  item_total: 'Subtotal',
  discount: 'Desconto',
  shipping: 'Portes de envio',
  shipping_discount: 'Desconto nos portes',
  handling: 'Taxa de manuseamento',
  insurance: 'Seguro',
  tax_total: 'Impostos',
  total: 'Total',
  returning: 'Vai voltar a {merchant} em 3 segundos.',
  try_again: 'Tentar novamente',
  check_again: 'Verificar novamente',
};
