import * as right from '../../../../relay/reconciliation/sort-records.ts';

export * from '../../../../relay/reconciliation/sort-records.ts';

/** Wrong: a record that names an order in another way than it was sent is dropped. */
export const sortRecords: typeof right.sortRecords = (context, about, list) => {
  const isNamed = (entry: unknown): boolean => about.names.includes(String(Reflect.get(Object(entry), 'order_no')));
  return right.sortRecords(context, about, about.list === 'trades' ? list : list.filter(isNamed));
};
