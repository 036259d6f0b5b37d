import type { HostedTexts } from '../messages.ts';

export const hostedTr: HostedTexts = {
  order_summary: 'Sipariş özeti',
  further: 'Diğer ürünler: {count}',
  item_total: 'Ara toplam',
  discount: 'İndirim',
  shipping: 'Kargo',
  shipping_discount: 'Kargo indirimi',
  handling: 'İşlem ücreti',
  insurance: 'Sigorta',
  tax_total: 'Vergi',
  total: 'Toplam',
  returning: '3 saniye içinde {merchant} sitesine döneceksiniz.',
  try_again: 'Tekrar dene',
  check_again: 'Tekrar kontrol et',
};
