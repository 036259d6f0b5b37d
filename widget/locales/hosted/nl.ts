import type { HostedTexts } from '../messages.ts';

export const hostedNl: HostedTexts = {
  order_summary: 'Besteloverzicht',
  further: 'Meer artikelen: {count}',
  item_total: 'Subtotaal',
  discount: 'Korting',
  shipping: 'Verzending',
  shipping_discount: 'Verzendkorting',
  handling: 'Verwerkingskosten',
  insurance: 'Verzekering',
  tax_total: 'Belasting',
  total: 'Totaal',
  returning: 'Over 3 seconden ga je terug naar {merchant}.',
  try_again: 'Opnieuw proberen',
  check_again: 'Opnieuw controleren',
};
