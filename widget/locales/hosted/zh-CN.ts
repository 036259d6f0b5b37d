import type { HostedTexts } from '../messages.ts';

export const hostedZhCN: HostedTexts = {
  order_summary: '订单摘要',
  further: '其他商品：{count} 件',
  item_total: '小计',
  discount: '折扣',
  shipping: '运费',
  shipping_discount: '运费折扣',
  handling: '手续费',
  insurance: '保险',
  tax_total: '税费',
  total: '总计',
  returning: '3 秒后返回 {merchant}。',
  try_again: '重试',
  check_again: '再次查询',
};
