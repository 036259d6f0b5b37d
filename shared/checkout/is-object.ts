/** Whether a value is an object with properties: true for arrays, false for null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
