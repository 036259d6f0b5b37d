import { z } from 'zod';

/**
 * The schemas' metadata for `z.toJSONSchema`, with the `name` of each as the id that it is referred to by. `id` itself stands nowhere:
 * zod keeps ids for a whole process, so those of the client's schemas would meet the ids of a shop's own.
 */
class NamedSchemas extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get: z.core.$ZodRegistry<z.core.GlobalMeta>['get'] = (schema) => {
    const meta = z.globalRegistry.get(schema);
    if (meta === undefined) return undefined;
    const { name: _, ...rest } = meta;
    const id = nameOf(schema);
    return id === undefined ? rest : { ...rest, id };
  };
}

export const namedSchemas = new NamedSchemas();

/** The name that a schema was given itself: one that was derived from it has its other metadata alone. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  const name = z.globalRegistry.get(schema)?.name;
  const { parent } = schema._zod;
  const isOwn = parent === undefined || z.globalRegistry.get(parent)?.name !== name;
  return isOwn && typeof name === 'string' ? name : undefined;
}
