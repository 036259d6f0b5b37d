import type { HostedTexts } from '../messages.ts';

export const hostedZhTW: HostedTexts = {
  order_summary: '訂單摘要',
  further: '其他商品：{count} 件',
  item_total: '小計',
  discount: '折扣',
  shipping: '運費',
  shipping_discount: '運費折扣',
  handling: '手續費',
  insurance: '保險',
  tax_total: '稅金',
  total: '總計',
  returning: '3 秒後返回 {merchant}。',
  try_again: '重試',
  check_again: '再次查詢',
};
