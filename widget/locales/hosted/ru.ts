import type { HostedTexts } from '../messages.ts';

export const hostedRu: HostedTexts = {
  order_summary: 'Состав заказа',
  further: 'Другие товары: {count}',
  item_total: 'Стоимость товаров',
  discount: 'Скидка',
  shipping: 'Доставка',
  shipping_discount: 'Скидка на доставку',
  handling: 'Обработка',
  insurance: 'Страхование',
  tax_total: 'Налог',
  total: 'Итого',
  returning: 'Через 3 секунды вы вернётесь в {merchant}.',
  try_again: 'Попробовать ещё раз',
  check_again: 'Проверить ещё раз',
};
