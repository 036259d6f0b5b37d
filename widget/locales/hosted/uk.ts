import type { HostedTexts } from '../messages.ts';

export const hostedUk: HostedTexts = {
  order_summary: 'Склад замовлення',
  further: 'Інші товари: {count}',
  item_total: 'Вартість товарів',
  discount: 'Знижка',
  shipping: 'Доставка',
  shipping_discount: 'Знижка на доставку',
  handling: 'Обробка',
  insurance: 'Страхування',
  tax_total: 'Податок',
  total: 'Разом',
  returning: 'Через 3 секунди ви повернетеся до {merchant}.',
  try_again: 'Спробувати ще раз',
  check_again: 'Перевірити ще раз',
};
