import type { Environment } from '../config/secrets.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

type SamplerName = (typeof samplers)[number];

/** The sampling of traces. Samplers by ratio keep the share `ratio`, 0 to 1. */
export type Sampling = { name: SamplerName; ratio: number };

/** The settings of the relay's tracing. */
type TracingSettings = {
  /** The address to which spans are sent. */
  url: string;
  /** The maximum time of the collector for one batch. */
  timeoutMillis: number;
  sampling: Sampling;
  batches: Batches;
  /** Whether a request continues the trace of its `traceparent`. */
  continues: boolean;
};

/** The batches of ended spans: at most `maxQueueSize` spans wait, and further ones are dropped. Sizes count spans. */
type Batches = {
  scheduledDelayMillis: number;
  exportTimeoutMillis: number;
  maxQueueSize: number;
  maxExportBatchSize: number;
};

/**
 * A variable with an unusable value, and the value that is used instead. The unusable value is left out, because it may
 * be a secret.
 */
type Unusable = { name: string; used: string };

/** Reads variables, and collects those with an unusable value. */
type Reader = {
  /** The value without outer spaces; empty if it is not set. */
  text(name: string): string;
  /** The words of a list in lower case: OpenTelemetry's enumerations ignore case. */
  words(name: string): string[];
  /** Records that the value is unusable, and returns the value that is used instead. */
  instead<Value extends string | number>(name: string, used: Value): Value;
};

/**
 * The settings in OpenTelemetry's standard environment variables. An unusable value is ignored, as their specification
 * requires: the relay starts without traces, because payments do not need them.
 * @returns `settings`, undefined without tracing: no endpoint and no exporter is set, `OTEL_SDK_DISABLED` is true, or
 *   the endpoint is not a URL; and `unusable`, the variables with unusable values
 */
export function tracingSettings(env: Environment): { settings: TracingSettings | undefined; unusable: Unusable[] } {
  const unusable: Unusable[] = [];
  const text = (name: string): string => env[name]?.trim() ?? '';
  const settings = settingsOf({
    text,
    words: (name) =>
      text(name)
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    instead(name, used) {
      unusable.push({ name, used: String(used) });
      return used;
    },
  });
  return { settings, unusable };
}

function settingsOf(reader: Reader): TracingSettings | undefined {
  if (isDisabled(reader) || !isEnabled(reader)) return undefined;
  const url = urlOf(reader);
  if (url === undefined) return undefined;
  checkProtocol(reader);
  checkCompression(reader);
  checkPairs(reader);
  return {
    url,
    timeoutMillis: timeoutOf(reader),
    sampling: samplingOf(reader),
    batches: batchesOf(reader),
    continues: continuesTraces(reader),
  };
}

function isDisabled({ text, instead }: Reader): boolean {
  const word = text('OTEL_SDK_DISABLED').toLowerCase();
  if (!['', 'true', 'false'].includes(word)) instead('OTEL_SDK_DISABLED', 'false');
  return word === 'true';
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

/** The first of these variables that is set. */
function firstSet({ text }: Reader, ...names: readonly string[]): string | undefined {
  return names.find((name) => text(name) !== '');
}

function isEnabled(reader: Reader): boolean {
  const exporters = reader.words('OTEL_TRACES_EXPORTER');
  const byDefault = firstSet(reader, TRACES_ENDPOINT, ENDPOINT) ? 'otlp' : 'none';
  const exporter = ['otlp', 'none'].find((one) => exporters.includes(one)) ?? byDefault;
  if (exporters.some((one) => one !== exporter)) reader.instead('OTEL_TRACES_EXPORTER', exporter);
  return exporter === 'otlp';
}

/**
 * The address to which spans are sent; undefined if it is not a URL. There is no default, because spans contain order
 * numbers.
 */
function urlOf(reader: Reader): string | undefined {
  const name = firstSet(reader, TRACES_ENDPOINT, ENDPOINT) ?? ENDPOINT;
  const given = reader.text(name) || 'http://localhost:4318';
  const url = name === ENDPOINT ? `${given.replace(/\/$/, '')}/v1/traces` : given;
  if (['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')) return url;
  reader.instead(name, 'no traces');
  return undefined;
}

/** The exporter writes JSON only, and a collector that is configured for protobuf may not accept JSON. */
function checkProtocol(reader: Reader): void {
  const name = firstSet(reader, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (name && reader.text(name).toLowerCase() !== 'http/json') reader.instead(name, 'http/json');
}

/** The exporter reads the compression itself, and does not report unknown values. */
function checkCompression(reader: Reader): void {
  const general = 'OTEL_EXPORTER_OTLP_COMPRESSION';
  const name = firstSet(reader, 'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', general);
  if (name === undefined || ['gzip', 'none'].includes(reader.text(name))) return;
  reader.instead(name, reader.text(general) === 'gzip' ? 'gzip' : 'none');
}

/** The libraries drop pairs that they cannot read without a message: a single header, but all attributes. */
function checkPairs({ text, instead }: Reader): void {
  const hasOdd = (name: string, pair: RegExp): boolean =>
    text(name)
      .split(',')
      .some((one) => one.trim() !== '' && !(pair.test(one) && isEncoded(one)));
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS']) {
    if (hasOdd(name, /^[^=]*[^=\s][^=]*=.*\S/)) instead(name, 'the other headers');
  }
  if (hasOdd('OTEL_RESOURCE_ATTRIBUTES', /^[^=]*[^=\s][^=]*=[^=]*$/)) instead('OTEL_RESOURCE_ATTRIBUTES', 'none');
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function timeoutOf(reader: Reader): number {
  const name = 'OTEL_EXPORTER_OTLP_TIMEOUT';
  return wholeOf(reader, firstSet(reader, 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', name) ?? name, 10_000);
}

function batchesOf(reader: Reader): Batches {
  const maxQueueSize = wholeOf(reader, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  const size = wholeOf(reader, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', Math.min(512, maxQueueSize));
  return {
    scheduledDelayMillis: wholeOf(reader, 'OTEL_BSP_SCHEDULE_DELAY', 5000, 0),
    exportTimeoutMillis: wholeOf(reader, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    maxQueueSize,
    maxExportBatchSize: size <= maxQueueSize ? size : reader.instead('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', maxQueueSize),
  };
}

/** Node fires a timer with a longer time at once. */
const MAX_TIMER = 2 ** 31 - 1;

function wholeOf({ text, instead }: Reader, name: string, byDefault: number, min = 1): number {
  const given = text(name);
  if (given === '') return byDefault;
  const number = Number(given);
  return Number.isInteger(number) && number >= min && number <= MAX_TIMER ? number : instead(name, byDefault);
}

function samplingOf(reader: Reader): Sampling {
  const byDefault = 'parentbased_always_on';
  const given = reader.text('OTEL_TRACES_SAMPLER').toLowerCase() || byDefault;
  const name = samplers.find((one) => one === given) ?? reader.instead('OTEL_TRACES_SAMPLER', byDefault);
  return { name, ratio: name.endsWith('traceidratio') ? ratioOf(reader) : 1 };
}

function ratioOf({ text, instead }: Reader): number {
  const given = text('OTEL_TRACES_SAMPLER_ARG');
  const ratio = given === '' ? 1 : Number(given);
  return ratio >= 0 && ratio <= 1 ? ratio : instead('OTEL_TRACES_SAMPLER_ARG', 1);
}

/** Baggage is a known propagator, but the relay does not read it. */
const propagators = ['tracecontext', 'baggage', 'none'];

function continuesTraces({ words, instead }: Reader): boolean {
  const given = words('OTEL_PROPAGATORS');
  const known = given.filter((one) => propagators.includes(one));
  const continues = known.length === 0 || known.includes('tracecontext');
  if (known.length < given.length) instead('OTEL_PROPAGATORS', continues ? 'tracecontext' : 'none');
  return continues;
}
