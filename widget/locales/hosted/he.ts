import type { HostedTexts } from '../messages.ts';

export const hostedHe: HostedTexts = {
  order_summary: 'סיכום ההזמנה',
  further: 'פריטים נוספים: {count}',
  item_total: 'סכום ביניים',
  discount: 'הנחה',
  shipping: 'משלוח',
  shipping_discount: 'הנחה על המשלוח',
  handling: 'דמי טיפול',
  insurance: 'ביטוח',
  tax_total: 'מס',
  total: 'סה״כ',
  returning: 'בעוד 3 שניות תחזרו אל {merchant}.',
  try_again: 'ניסיון חוזר',
  check_again: 'בדיקה חוזרת',
};
