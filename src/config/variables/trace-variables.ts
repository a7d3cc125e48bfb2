import type { VariableGroup } from './described-variable.ts';

export const TRACE_VARIABLES: VariableGroup = {
  title: 'Traces',
  variables: [
    {
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      meaning: 'base address of a collector of OpenTelemetry, by HTTP; with it [traces](#traces) are sent',
      example: 'http://127.0.0.1:4318',
      default: null,
      isSecret: true,
    },
    {
      name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      meaning: 'the whole address for traces, where it is another one',
      example: 'http://127.0.0.1:4318/v1/traces',
      default: null,
      defaultText: '`<OTEL_EXPORTER_OTLP_ENDPOINT>/v1/traces`',
      isSecret: true,
    },
    {
      name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      meaning: 'how traces are sent; there is one way',
      example: 'http/json',
      default: 'http/json',
    },
  ],
};
