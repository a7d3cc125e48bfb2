import type { SwaggerOptions } from '@fastify/swagger';

/** The fixed part of openapi.json; the routes add the rest. */
export const openApiOptions: SwaggerOptions = {
  refResolver: { buildLocalReference: (json) => String(json['$id']) },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Integration API for outbound and inbound e-invoice documents',
      version: '1.0.0',
      description: [
        'Lets software act for one taxpayer on electronic documents: submit a UBL 2.1 Invoice or CreditNote, follow it',
        'to the tax authority of North Macedonia, and take over what arrives. The tenant follows from the API key.',
        'Every error is application/problem+json; match on its code.',
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [{ name: 'ping' }, { name: 'code lists' }, { name: 'outbound' }, { name: 'inbound' }],
  },
};
