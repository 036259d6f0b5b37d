import type { HostedTexts } from '../messages.ts';

export const hostedPl: HostedTexts = {
  order_summary: 'Podsumowanie zamówienia',
  further: 'Pozostałe produkty: {count}',
  item_total: 'Wartość produktów',
  discount: 'Rabat',
  shipping: 'Dostawa',
  shipping_discount: 'Rabat na dostawę',
  handling: 'Obsługa',
  insurance: 'Ubezpieczenie',
  tax_total: 'Podatek',
  total: 'Razem',
  returning: 'Za 3 sekundy nastąpi powrót do {merchant}.',
  try_again: 'Spróbuj ponownie',
  check_again: 'Sprawdź ponownie',
};
