import { isObject } from '../../shared/checkout/is-object.ts';

/** Tells whether a value that came from outside has the form of T. */
export type Guard<T> = (value: unknown) => value is T;

export const text: Guard<string> = (value) => typeof value === 'string';
export const number: Guard<number> = (value) => typeof value === 'number';
export const flag: Guard<boolean> = (value) => typeof value === 'boolean';
export const always: Guard<true> = (value) => value === true;
export const anything: Guard<unknown> = (_value): _value is unknown => true;

export const optional =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (value) =>
    value === undefined || guard(value);

export const list =
  <T>(guard: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(guard);

export const record =
  <T>(guard: Guard<T>): Guard<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isObject(value) && Object.values(value).every(guard);

/** One of the texts that a union is made of; all of them stand in `values`. */
export const oneOf =
  <T extends string>(values: Readonly<Record<T, true>>): Guard<T> =>
  (value): value is T =>
    typeof value === 'string' && Object.hasOwn(values, value);

/** An object with these properties, whatever else it has. */
export const object =
  <T extends object>(shape: { readonly [Key in keyof T]-?: Guard<T[Key]> }): Guard<T> =>
  (value): value is T => {
    if (!isObject(value)) return false;
    for (const key in shape) if (!shape[key](value[key])) return false;
    return true;
  };

/** A value that one of the guards takes. */
export const either =
  <T>(...guards: readonly Guard<T>[]): Guard<T> =>
  (value): value is T =>
    guards.some((guard) => guard(value));

/** One text alone, as the tag of a union has it. */
export const exactly =
  <T extends string>(only: T): Guard<T> =>
  (value): value is T =>
    value === only;
