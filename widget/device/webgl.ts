import { isChromium, isGecko, isWebKit } from '@fingerprintjs/fingerprintjs';
import type { Scheduler } from './scheduler.ts';

/**
 * The codes of the context's parameters, in the library's order, because they are part of its hash. A test compares
 * both.
 */
export const CONTEXT_PARAMETERS: ReadonlySet<unknown> = new Set([
  10752, 2849, 2884, 2885, 2886, 2928, 2929, 2930, 2931, 2932, 2960, 2961, 2962, 2963, 2964, 2965, 2966, 2967, 2968,
  2978, 3024, 3042, 3088, 3089, 3106, 3107, 32773, 32777, 32777, 32823, 32824, 32936, 32937, 32938, 32939, 32968, 32969,
  32970, 32971, 3317, 33170, 3333, 3379, 3386, 33901, 33902, 34016, 34024, 34076, 3408, 3410, 3411, 3412, 3413, 3414,
  3415, 34467, 34816, 34817, 34818, 34819, 34877, 34921, 34930, 35660, 35661, 35724, 35738, 35739, 36003, 36004, 36005,
  36347, 36348, 36349, 37440, 37441, 37443, 7936, 7937, 7938,
]);

/** The same for its extensions. */
export const EXTENSION_PARAMETERS: ReadonlySet<unknown> = new Set([
  34047, 35723, 36063, 34852, 34853, 34854, 34229, 36392, 36795, 38449,
]);

const SHADERS = ['FRAGMENT_SHADER', 'VERTEX_SHADER'] as const;
const PRECISIONS = ['LOW_FLOAT', 'MEDIUM_FLOAT', 'HIGH_FLOAT', 'LOW_INT', 'MEDIUM_INT', 'HIGH_INT'] as const;

/** WebGL's description of the graphics hardware. */
type WebGlDescription = {
  contextAttributes: string[];
  parameters: string[];
  shaderPrecisions: string[];
  extensions: string[] | null;
  extensionParameters: string[];
  unsupportedExtensions: string[];
};

/**
 * Reads WebGL's description of the graphics hardware. The library makes these four hundred calls at once, and each
 * waits for another process: 150 ms on a slow phone. The results and their order are those of the library, because some
 * extensions change later results. Throws if the context was lost meanwhile, because it returns nothing then.
 */
export async function readWebGl(context: WebGLRenderingContext, scheduler: Scheduler): Promise<WebGlDescription> {
  const attributes = Object.entries(context.getContextAttributes() ?? {});
  const parameters: string[] = [];
  const extensionParameters: string[] = [];
  const unsupportedExtensions: string[] = [];
  const shaderPrecisions: string[] = [];

  for (const constant of constantsOf(context)) {
    await scheduler.next();
    parameters.push(describe(context, constant, CONTEXT_PARAMETERS));
  }
  const extensions = context.getSupportedExtensions();
  for (const name of extensions ?? []) {
    if (complains(name)) continue;
    await scheduler.next();
    const extension: object | null = context.getExtension(name);
    if (!extension) {
      unsupportedExtensions.push(name);
      continue;
    }
    for (const constant of constantsOf(extension)) {
      extensionParameters.push(describe(context, constant, EXTENSION_PARAMETERS));
    }
  }
  for (const shader of SHADERS) {
    for (const precision of PRECISIONS) {
      await scheduler.next();
      const format = context.getShaderPrecisionFormat(context[shader], context[precision]);
      const numbers = format ? [format.rangeMin, format.rangeMax, format.precision] : [];
      shaderPrecisions.push(`${shader}.${precision}=${numbers}`);
    }
  }
  if (context.isContextLost()) throw new Error('the WebGL context was lost');
  return {
    contextAttributes: attributes.map(([name, value]) => `${name}=${value}`),
    parameters: parameters.sort(),
    shaderPrecisions,
    extensions,
    extensionParameters: extensionParameters.sort(),
    unsupportedExtensions,
  };
}

type Constant = readonly [name: string, code: unknown];

/** The constants of an object's interface. */
function constantsOf(object: object): Constant[] {
  const names = Object.keys(Object.getPrototypeOf(object)).filter((name) => /^[A-Z0-9_x]*$/.test(name));
  return names.map((name) => [name, Reflect.get(object, name)]);
}

function describe(context: WebGLRenderingContext, [name, code]: Constant, read: ReadonlySet<unknown>): string {
  const value = typeof code === 'number' && read.has(code) ? `=${context.getParameter(code)}` : '';
  return `${name}=${code}${value}`;
}

/** Whether the browser would warn on the console that a page requests this extension. */
function complains(extension: string): boolean {
  if (extension === 'WEBGL_debug_renderer_info') return isGecko();
  return extension === 'WEBGL_polygon_mode' && (isChromium() || isWebKit());
}
