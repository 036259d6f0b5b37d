import type { HostedTexts } from '../messages.ts';

export const hostedJa: HostedTexts = {
  order_summary: 'ご注文内容',
  further: 'その他の商品：{count}点',
  item_total: '小計',
  discount: '割引',
  shipping: '送料',
  shipping_discount: '送料割引',
  handling: '取扱手数料',
  insurance: '保険料',
  tax_total: '税金',
  total: '合計',
  returning: '3秒後に{merchant}に戻ります。',
  try_again: 'もう一度試す',
  check_again: 'もう一度確認する',
};
