import type { HostedTexts } from '../messages.ts';

export const hostedFr: HostedTexts = {
  order_summary: 'Résumé de la commande',
  further: 'Autres articles : {count}',
  item_total: 'Sous-total',
  discount: 'Remise',
  shipping: 'Livraison',
  shipping_discount: 'Remise sur la livraison',
  handling: 'Manutention',
  insurance: 'Assurance',
  tax_total: 'Taxes',
  total: 'Total',
  returning: 'Retour à {merchant} dans 3 secondes.',
  try_again: 'Réessayer',
  check_again: 'Vérifier à nouveau',
};
