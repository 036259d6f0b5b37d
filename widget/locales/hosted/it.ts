import type { HostedTexts } from '../messages.ts';

export const hostedIt: HostedTexts = {
  order_summary: 'Riepilogo dell’ordine',
  further: 'Altri articoli: {count}',
  item_total: 'Subtotale',
  discount: 'Sconto',
  shipping: 'Spedizione',
  shipping_discount: 'Sconto sulla spedizione',
  handling: 'Spese di gestione',
  insurance: 'Assicurazione',
  tax_total: 'Imposte',
  total: 'Totale',
  returning: 'Tornerai a {merchant} tra 3 secondi.',
  try_again: 'Riprova',
  check_again: 'Controlla di nuovo',
};
