import type { HostedTexts } from '../messages.ts';

export const hostedId: HostedTexts = {
  order_summary: 'Ringkasan pesanan',
  further: 'Barang lainnya: {count}',
  item_total: 'Subtotal',
  discount: 'Diskon',
  shipping: 'Ongkos kirim',
  shipping_discount: 'Diskon ongkos kirim',
  handling: 'Biaya penanganan',
  insurance: 'Asuransi',
  tax_total: 'Pajak',
  total: 'Total',
  returning: 'Anda akan kembali ke {merchant} dalam 3 detik.',
  try_again: 'Coba lagi',
  check_again: 'Periksa lagi',
};
