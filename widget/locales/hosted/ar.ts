import type { HostedTexts } from '../messages.ts';

export const hostedAr: HostedTexts = {
  order_summary: 'ملخص الطلب',
  further: 'منتجات أخرى: {count}',
  item_total: 'المجموع الفرعي',
  discount: 'الخصم',
  shipping: 'الشحن',
  shipping_discount: 'خصم الشحن',
  handling: 'رسوم المناولة',
  insurance: 'التأمين',
  tax_total: 'الضريبة',
  total: 'الإجمالي',
  returning: 'ستعود إلى {merchant} بعد ثلاث ثوانٍ.',
  try_again: 'إعادة المحاولة',
  check_again: 'التحقق مجددًا',
};
