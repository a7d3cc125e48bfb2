/** The fixed part of an interface description. */
export type InterfaceInfo = {
  readonly title: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
};

const MANNERS = [
  'Every call needs a key in X-Api-Key and the name of the calling software in X-Software-Id.',
  'Every error is application/problem+json; match on its code, which is null where only the HTTP status says what happened.',
  'Numbers and codes that are marked with x-extensible-enum may get further values in this version: treat an unknown one as such,',
  'not as an error. What can be read with GET answers HEAD as well.',
];

export const integrationInfo: InterfaceInfo = {
  title: 'Integration API for outbound and inbound e-invoice documents',
  description: [
    'Lets software act for one taxpayer on electronic documents: submit a UBL 2.1 Invoice or CreditNote, follow it',
    'to the tax authority of North Macedonia, and take over what arrives. The tenant follows from the API key.',
    ...MANNERS,
  ].join(' '),
  tags: {
    ping: 'Whether the service is reachable and the key valid.',
    'code lists': "The authority's code lists.",
    outbound: 'Documents that the taxpayer issues: submit, follow, download, cancel.',
    inbound: 'Documents that the taxpayer receives: list, download, acknowledge.',
  },
};

export const extensionsInfo: InterfaceInfo = {
  title: 'Extensions of the integration API for e-invoice documents',
  description: [
    'What goes beyond the integration API, for the same software with the same keys: the same headers, traffic limits and',
    'errors apply. The integration API does not need it.',
    ...MANNERS,
  ].join(' '),
  tags: {
    ping: 'Whether the service is reachable and the key valid.',
    changes: 'What changed, in one order without gaps.',
    outbound: 'What happened to a document that the taxpayer issued, and how it looks.',
    inbound: 'What the taxpayer received: how it looks, and in another form.',
    validation: 'What would become of a document, before it is submitted.',
    schemas: "The form of the authority's documents.",
  },
};
