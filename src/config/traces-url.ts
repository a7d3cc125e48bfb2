import type { VariableReader } from './variable-reader.ts';

/** The variables by which OpenTelemetry names its collector. */
export function readTracesUrl(read: VariableReader): string | null {
  const ofTraces = read.endpointUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const ofAll = read.secretUrl('OTEL_EXPORTER_OTLP_ENDPOINT');
  // A collector that is reached in another way would not understand a single span.
  read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json'], 'http/json');
  return ofTraces ?? (ofAll === null ? null : `${ofAll}/v1/traces`);
}
