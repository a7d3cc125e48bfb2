import type { Logger } from 'pino';
import { OperatorError } from '../../application/errors/operator-error.ts';
import { NO_TRACES, type Tracer } from '../../application/ports/telemetry/tracer.ts';
import type { Config } from '../../config.ts';
import { packageVersion } from './package-version.ts';

/** What the operator installs to have traces; package.json names the versions. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
];

export type OpenTracer = { readonly tracer: Tracer; readonly close: () => Promise<void> };

/** Loads the SDK of OpenTelemetry only where a collector is configured. */
export async function openTracer({ tracesUrl: url }: Config, log: Logger): Promise<OpenTracer> {
  if (url === null) return { tracer: NO_TRACES, close: async () => undefined };
  const { createOtlpTracer } = await import('../../adapters/telemetry/otlp-tracer.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      'refused',
      `Traces are configured (OTEL_EXPORTER_OTLP_ENDPOINT), but packages for them are missing: npm install ${PACKAGES.join(' ')}`,
    );
  });
  return createOtlpTracer({
    url,
    version: packageVersion(),
    onChange(failure) {
      if (failure === null) log.info('traces are taken again');
      else log.warn({ reason: failure.message }, 'traces are not taken by their collector and are lost');
    },
  });
}
