/** What shops call the brands that have a mark, without case and signs, by the mark's id and proper name. */
const BRANDS: readonly (readonly [id: string, name: string, ...others: string[]])[] = [
  ['visa', 'Visa', 'visaelectron', 'visadebit'],
  ['mastercard', 'Mastercard', 'mc', 'master'],
  ['maestro', 'Maestro'],
  ['amex', 'American Express', 'americanexpress', 'ae'],
  ['diners', 'Diners Club', 'dinersclub', 'dinersclubinternational'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay', 'chinaunionpay', 'cup'],
  ['elo', 'Elo'],
  ['hipercard', 'Hipercard'],
  ['mir', 'Mir'],
  ['troy', 'Troy'],
];

/** A brand as a shop names it, by its proper name and the id of its mark; one that we do not know is shown as it is. */
export function brandNamed(brand: string): { id?: string; name: string } {
  const asked = brand.toLowerCase().replace(/[^a-z]/g, '');
  const [id, name = brand] = BRANDS.find(([known, , ...others]) => [known, ...others].includes(asked)) ?? [];
  return id === undefined ? { name } : { id, name };
}
