/** Of work that is told to whoever collects traces; nothing of a document's content, no key and no name of a taxpayer. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export type SpanStart = {
  /** One of few: a route, a step, a service. */
  readonly name: string;
  /** A call that we answer, work of our own, a call that we make. */
  readonly kind: 'server' | 'work' | 'client';
  readonly facts: SpanFacts;
  /** The `traceparent` of the caller's span; null where the caller has none, and a trace begins. */
  readonly parent?: string | null;
  /**
   * The `traceparent` of what caused it, perhaps days ago: a trace of its own begins, which refers to that one. What has neither a
   * parent nor a cause belongs to the work within which it begins.
   */
  readonly cause?: string | null;
};

export type Span = {
  /** By which what the work causes is joined with it; null where nothing is traced. */
  readonly traceparent: string | null;
  /** Runs work whose own spans belong to this one. */
  readonly within: <Result>(work: () => Result) => Result;
  readonly end: (facts: SpanFacts, isFailure: boolean) => void;
};

export type Tracer = { readonly begin: (start: SpanStart) => Span };

const NO_SPAN: Span = { traceparent: null, within: (work) => work(), end: () => undefined };

export const NO_TRACES: Tracer = { begin: () => NO_SPAN };
