import type { HostedTexts } from '../messages.ts';

export const hostedTh: HostedTexts = {
  order_summary: 'สรุปคำสั่งซื้อ',
  further: 'สินค้าอื่นๆ: {count}',
  item_total: 'ยอดรวมสินค้า',
  discount: 'ส่วนลด',
  shipping: 'ค่าจัดส่ง',
  shipping_discount: 'ส่วนลดค่าจัดส่ง',
  handling: 'ค่าดำเนินการ',
  insurance: 'ค่าประกัน',
  tax_total: 'ภาษี',
  total: 'ยอดสุทธิ',
  returning: 'คุณจะกลับไปที่ {merchant} ใน 3 วินาที',
  try_again: 'ลองอีกครั้ง',
  check_again: 'ตรวจสอบอีกครั้ง',
};
