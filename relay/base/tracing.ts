/** The fields of a span: ids, names from fixed lists, and numbers. Collectors get no other data. */
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

/** A running part of a trace. */
export type TraceSpan = {
  /** The trace's id, 32 hex digits; undefined without tracing. */
  readonly traceId: string | undefined;
  /** Runs work so that all spans that begin in it are children of this one. */
  run<Result>(work: () => Result): Result;
  /** Ends the span. `failed` marks it as an error. */
  end(fields: SpanFields, failed?: boolean): void;
};

/** Reports the durations of the relay's work. Its failures do not affect the work. */
export type Tracer = {
  /** Begins the span of a request. `traceparent` (W3C Trace Context) may name its parent. */
  request(method: string, traceparent: string | string[] | undefined): TraceSpan;
  /**
   * Runs work in a span of its own, inside the current span.
   * @param name a name from a fixed list
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

/** A tracer that does nothing. */
export const noTracer: Tracer = { request: () => nothing, work: (_name, _fields, work) => work() };
