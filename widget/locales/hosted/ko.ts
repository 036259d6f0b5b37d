import type { HostedTexts } from '../messages.ts';

export const hostedKo: HostedTexts = {
  order_summary: '주문 요약',
  further: '그 외 상품: {count}개',
  item_total: '상품 금액',
  discount: '할인',
  shipping: '배송비',
  shipping_discount: '배송비 할인',
  handling: '취급 수수료',
  insurance: '보험료',
  tax_total: '세금',
  total: '합계',
  returning: '3초 후 {merchant}(으)로 돌아가요.',
  try_again: '다시 시도',
  check_again: '다시 확인',
};
