import type { VariableGroup } from './described-variable.ts';

export const LIMIT_VARIABLES: VariableGroup = {
  title: 'Limits of the interface',
  variables: [
    {
      name: 'MAX_DOCUMENT_BYTES',
      meaning: 'size limit of a submitted document',
      example: '10485760',
      default: '10485760',
    },
    {
      name: 'READING_THREADS',
      meaning:
        'threads that read documents, at most: one runs from the first document that needs it, others when documents wait and until they were idle for ten minutes. Each has a parser and schemas of its own',
      example: '2',
      default: null,
      defaultText: 'as many as the machine runs in parallel',
    },
    {
      name: 'MAX_CONNECTIONS',
      meaning: 'connections of clients at a time; further ones get 503 with `Retry-After`',
      example: '2048',
      default: '2048',
    },
    {
      name: 'MAX_CONNECTIONS_PER_ADDRESS',
      meaning:
        'the same for one address (IPv6: one /64 network). Trusted proxies are exempt, so set `TRUST_PROXY` behind one, and limit clients there',
      example: '256',
      default: '256',
    },
    {
      name: 'MAX_SUBMISSION_WAIT_MS',
      meaning:
        'how long a submission may wait to be carried out; while those under way need longer, further ones get 503 with `Retry-After` ([overload](#overload))',
      example: '1000',
      default: '1000',
    },
    {
      name: 'HEADERS_TIMEOUT_SECONDS',
      meaning:
        'time for the headers of a request, from the connection or the first byte on; part of the next one, so not more than it',
      example: '15',
      default: '15',
      defaultText: '`15`, or `REQUEST_TIMEOUT_SECONDS` if that is less',
    },
    {
      name: 'REQUEST_TIMEOUT_SECONDS',
      meaning:
        'time for a whole request; also how long a client may take nothing of its answer, and how long it has for the whole answer beside a second for every 64 KiB of it',
      example: '60',
      default: '60',
    },
    {
      name: 'IDLE_TIMEOUT_SECONDS',
      meaning: 'how long a connection stays open between two requests; longer than the idle time of a proxy in front',
      example: '72',
      default: '72',
    },
  ],
};
