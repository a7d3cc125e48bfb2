import { PAYLOAD_MEMBERS } from '../src/adapters/ujp/document-schema/document-fields.ts';
import { type Field, fieldsBelow } from '../src/adapters/ujp/document-schema/field.ts';
import { DOCUMENT_TEXTS } from '../src/domain/messages/document-texts.ts';
import { EXTENSIONS_ROOT } from '../src/http/extensions.ts';

const TYPES: Readonly<Record<Field<unknown>['shape']['kind'], string>> = {
  text: 'text',
  date: 'date',
  number: 'number',
  whole: 'whole number',
  object: 'object',
  list: 'list',
  anything: 'any',
};

/** The page that shows the authority's document member by member. */
export function authorityDocumentPage(): string {
  const texts: Readonly<Record<string, string>> = DOCUMENT_TEXTS.en;
  const rows = fieldsBelow(PAYLOAD_MEMBERS).map(([path, { shape, isRequired, ubl }]) => {
    const key = path.replace(/^document\./u, '').replaceAll('[]', '');
    const cells = [`\`${path}\``, TYPES[shape.kind], isRequired ? 'yes' : '', texts[key], ubl];
    return `| ${cells.join(' | ')} |`;
  });
  return `# The authority's document

What arrives from the tax authority is its own JSON, and what is sent there as well. The authority publishes no schema of it; this one is of our own writing, from its
published reference and examples, and is served without a key, with descriptions in English and in Macedonian:

- \`${EXTENSIONS_ROOT}/schemas/ujp-document-v1.en.json\`
- \`${EXTENSIONS_ROOT}/schemas/ujp-document-v1.mk.json\`

What is under these names never changes; another version would have another name. Members that the authority may add are allowed. A file that fits the schema is
downloaded with \`X-Document-Shape: ujp-document-v1\`.

\`GET ${EXTENSIONS_ROOT}/inbound/{docUid}/as-ubl\` converts such a document into a UBL 2.1 Invoice or, for type 110, CreditNote; see [the extensions](extensions.md#what-arrives-as-ubl).
The last column says where each member then stands. Our conversion of UBL into the authority's document reads the same places, so that the way there and back gives
the same document; what it assumes where a place is empty is among its [defaults](guides/conversion.md#defaults).

- \`UJP:member\` is a \`cac:AdditionalDocumentReference\` with the path of the member in \`cbc:ID[@schemeID='UJP:member']\` and its value in \`cbc:DocumentDescription\`.
- The VAT category (\`cac:TaxCategory/cbc:ID\`) is AE where a row has VAT and its items have none, S where there is a rate, else G for DDV-7-I, O for DDV-G, Z for ДДВ 0, and E.
- A void (\`docStorno\` 1) is an invoice with negative quantities and totals that refers to the document that it voids: UBL has no other way to say it.

This page is made from the code by \`npm run docs\`.

| Member | Type | Required | Meaning | In UBL |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
