/** The fields of a span: ids, names from the relay's own lists, and numbers. Nothing else reaches a collector. */
export type SpanFields = {
  readonly [Name in
    | 'turnpike.account'
    | 'turnpike.order_no'
    | 'turnpike.operation'
    | 'turnpike.result'
    | 'turnpike.event'
    | 'turnpike.event_type'
    | 'turnpike.orders'
    | 'http.request.method'
    | 'http.route'
    | 'http.response.status_code'
    | 'error.type']?: string | number | undefined;
};

/** A part of a trace that is being done. */
export type TraceSpan = {
  /** The trace's id, 32 hex digits; undefined where nothing is traced. */
  readonly traceId: string | undefined;
  /** Does some work so that spans which begin meanwhile, in whatever it calls, are children of this one. */
  run<Result>(work: () => Result): Result;
  /** Ends it. `failed` marks it as an error. */
  end(fields: SpanFields, failed?: boolean): void;
};

/** Reports how long the relay's work takes. Its failures do not affect the work. */
export type Tracer = {
  /** Begins the span of a request, of which `traceparent` (W3C Trace Context) may name the parent. */
  request(method: string, traceparent: string | string[] | undefined): TraceSpan;
  /**
   * Does some work as a span of its own, within what is being done.
   * @param name a name from the relay's own list
   * @param resultFields returns the fields of the result
   */
  work<Result>(
    name: string,
    fields: SpanFields,
    work: () => Promise<Result>,
    resultFields?: (result: Result) => SpanFields,
  ): Promise<Result>;
};

const nothing: TraceSpan = { traceId: undefined, run: (work) => work(), end: () => undefined };

/** Traces nothing, and costs nothing. */
export const noTracer: Tracer = { request: () => nothing, work: (_name, _fields, work) => work() };
