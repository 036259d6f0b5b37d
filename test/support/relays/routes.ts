import type { Express } from 'express';
import { z } from 'zod';

const layer = z.object({
  route: z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) }).optional(),
  handle: z.unknown(),
});
const router = z.object({ stack: z.array(z.unknown()) });

/** Every route of an Express app with its method, such as `['get', '/v1/sessions/:id']`. */
export function routesOf(app: Express): [string, string][] {
  return routesIn(Reflect.get(app, 'router'));
}

function routesIn(value: unknown): [string, string][] {
  const found = router.safeParse({ stack: isObject(value) ? Reflect.get(value, 'stack') : undefined });
  return (found.data?.stack ?? []).flatMap((entry): [string, string][] => {
    const { route, handle } = layer.parse(isObject(entry) ? partsOf(entry) : {});
    if (!route) return routesIn(handle);
    return Object.keys(route.methods)
      .filter((method) => method !== '_all')
      .map((method) => [method, route.path]);
  });
}

/** Layers and routes are instances of classes, and routers are functions, which zod does not look into. */
function partsOf(entry: object): object {
  const route: unknown = Reflect.get(entry, 'route');
  return {
    handle: Reflect.get(entry, 'handle'),
    ...(isObject(route) ? { route: { path: Reflect.get(route, 'path'), methods: { ...methodsOf(route) } } } : {}),
  };
}

function methodsOf(route: object): object {
  const methods: unknown = Reflect.get(route, 'methods');
  return isObject(methods) ? methods : {};
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
