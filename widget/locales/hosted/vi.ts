import type { HostedTexts } from '../messages.ts';

export const hostedVi: HostedTexts = {
  order_summary: 'Tóm tắt đơn hàng',
  further: 'Mặt hàng khác: {count}',
  item_total: 'Tạm tính',
  discount: 'Giảm giá',
  shipping: 'Phí vận chuyển',
  shipping_discount: 'Giảm phí vận chuyển',
  handling: 'Phí xử lý',
  insurance: 'Bảo hiểm',
  tax_total: 'Thuế',
  total: 'Tổng cộng',
  returning: 'Bạn sẽ quay lại {merchant} sau 3 giây.',
  try_again: 'Thử lại',
  check_again: 'Kiểm tra lại',
};
