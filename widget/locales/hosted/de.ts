import type { HostedTexts } from '../messages.ts';

export const hostedDe: HostedTexts = {
  order_summary: 'Bestellübersicht',
  further: 'Weitere Artikel: {count}',
  item_total: 'Zwischensumme',
  discount: 'Rabatt',
  shipping: 'Versand',
  shipping_discount: 'Versandrabatt',
  handling: 'Bearbeitung',
  insurance: 'Versicherung',
  tax_total: 'Steuern',
  total: 'Gesamtbetrag',
  returning: 'In 3 Sekunden geht es zurück zu {merchant}.',
  try_again: 'Erneut versuchen',
  check_again: 'Erneut prüfen',
};
