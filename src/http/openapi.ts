import type { SwaggerOptions } from '@fastify/swagger';

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
const REFERENCES: SwaggerOptions = { refResolver: { buildLocalReference: (json) => String(json['$id']) } };

/** The fixed part of openapi.json; the calls add the rest. */
export const integrationDescription: SwaggerOptions = {
  ...REFERENCES,
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
      license: LICENSE,
    },
    tags: [{ name: 'ping' }, { name: 'code lists' }, { name: 'outbound' }, { name: 'inbound' }],
  },
};

/** The same for openapi-extensions.json. */
export const extensionsDescription: SwaggerOptions = {
  ...REFERENCES,
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Extensions of the integration API for e-invoice documents',
      version: '1.0.0',
      description: [
        'What goes beyond the integration API, for the same software with the same keys: the same headers, traffic limits and',
        'errors apply. The integration API does not need it.',
      ].join(' '),
      license: LICENSE,
    },
    tags: [{ name: 'ping' }],
  },
};
