import type { HostedTexts } from '../messages.ts';

export const hostedEs419: HostedTexts = {
  order_summary: 'Resumen del pedido',
  further: 'Más artículos: {count}',
  item_total: 'Subtotal',
  discount: 'Descuento',
  shipping: 'Envío',
  shipping_discount: 'Descuento en el envío',
  handling: 'Cargo por manejo',
  insurance: 'Seguro',
  tax_total: 'Impuestos',
  total: 'Total',
  returning: 'Volverás a {merchant} en 3 segundos.',
  try_again: 'Intentar de nuevo',
  check_again: 'Verificar de nuevo',
};
