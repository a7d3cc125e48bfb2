import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanStart, Tracer } from '../../application/ports/telemetry/tracer.ts';

/** A stop waits so long for a collector that does not answer. */
const EXPORT_TIMEOUT_MS = 2_000;

const KINDS = { server: SpanKind.SERVER, work: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

type Needs = {
  /** Where the collector takes traces. */
  readonly url: string;
  readonly version: string;
  /** The collector began to fail (the reason), or takes traces again (null). */
  readonly onChange: (failure: Error | null) => void;
};

export type OtlpTracer = {
  readonly tracer: Tracer;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
};

/** Sends spans to a collector by OTLP over HTTP, as JSON, with the SDK of OpenTelemetry (docs/decisions/0048-traces.md). */
export function createOtlpTracer({ url, version, onChange }: Needs): OtlpTracer {
  const exporter = watched(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), onChange);
  const own = resourceFromAttributes({ 'service.name': 'dostava', 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const spans = provider.getTracer('dostava', version);
  const current = new AsyncLocalStorage<Context>();

  function contextOf({ parent, cause }: SpanStart): Context {
    if (parent === undefined && cause === undefined) return current.getStore() ?? ROOT_CONTEXT;
    return typeof parent === 'string' ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT;
  }

  const tracer: Tracer = {
    begin(start) {
      const { name, kind, facts, cause = null } = start;
      const links = cause === null ? [] : [{ context: spanContextOf(cause) }];
      const context = contextOf(start);
      const span = spans.startSpan(name, { kind: KINDS[kind], attributes: facts, links }, context);
      return {
        traceparent: traceparentOf(span.spanContext()),
        within: (work) => current.run(trace.setSpan(context, span), work),
        end(more, isFailure) {
          span.setAttributes(more);
          if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
  return {
    tracer,
    // What a collector does not take is no reason to fail: that was told already.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** The SDK keeps silent about a collector that does not answer. */
function watched(exporter: SpanExporter, onChange: Needs['onChange']): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failure = result.code === 0 ? null : (result.error ?? new Error('The spans were not taken.'));
        if (isFailing !== (failure !== null)) onChange(failure);
        isFailing = failure !== null;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Of the W3C's form, which was looked at when it came. */
function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
