/** Whether a value is an object whose properties can be looked at; arrays are, null is not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
