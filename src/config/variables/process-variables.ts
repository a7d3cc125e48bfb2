import type { VariableGroup } from './described-variable.ts';

export const PROCESS_VARIABLES: VariableGroup = {
  title: 'The process and its addresses',
  variables: [
    {
      name: 'ENVIRONMENT',
      meaning: '`demo` or `production`; a database belongs to one of them',
      example: 'production',
      default: null,
      defaultText: '`demo`',
    },
    {
      name: 'ROLE',
      meaning:
        'what this process does: `api` (the interface), `worker` (delivery and all other background work) or `all`',
      example: 'all',
      default: 'all',
    },
    {
      name: 'HOST',
      meaning: 'the address on which the interface listens; `localhost` is 127.0.0.1',
      example: '127.0.0.1',
      default: '127.0.0.1',
    },
    {
      name: 'PORT',
      meaning: 'the port of the interface; 0 takes any free one',
      example: '8080',
      default: '8080',
    },
    {
      name: 'OPS_HOST',
      meaning:
        'the address on which health and metrics are read; one beyond loopback lets probes, balancers and Prometheus on other machines reach them ([who may](#health-metrics-logs))',
      example: '127.0.0.1',
      default: '127.0.0.1',
    },
    {
      name: 'OPS_PORT',
      meaning: 'the port of health, metrics and the [console](#the-console), another than `PORT`; 0 takes any free one',
      example: '8081',
      default: '8081',
    },
    {
      name: 'ERRORS_URL',
      meaning: 'base URL of the error pages, to which the `type` of a problem links',
      example: 'https://invoices.example/errors',
      default: null,
      defaultText: '`<PUBLIC_URL>/errors`',
    },
    {
      name: 'TRUST_PROXY',
      meaning:
        'addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted; what is no address there counts as an unknown one, which keys with allowed addresses refuse',
      example: '127.0.0.1',
      default: null,
    },
    {
      name: 'ALLOW_ANY_PROXY',
      meaning:
        'in production `TRUST_PROXY` must not have more public addresses than one /8 network, unless this is `i-know-that-callers-can-choose-their-address`',
      example: 'i-know-that-callers-can-choose-their-address',
      default: null,
    },
    {
      name: 'ALLOW_PLAIN_HTTP',
      meaning:
        'in production `PUBLIC_URL`, `ERRORS_URL` and all addresses of the authority must be `https://`, unless this is `i-know-that-others-can-read-and-change-it`',
      example: 'i-know-that-others-can-read-and-change-it',
      default: null,
    },
    {
      name: 'LOG_LEVEL',
      meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
      example: 'info',
      default: 'info',
      demoDefault: 'warn',
    },
  ],
};
