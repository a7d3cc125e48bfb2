import { ccts, etsi, oasis, w3c } from './schema-notices.ts';

export type SchemaModule = { readonly file: string; readonly prefix: string; readonly notice: string };

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** Which file of ours holds which namespace. A schema document has exactly one. */
const modules: Readonly<Record<string, SchemaModule>> = {
  [`${ubl}Invoice-2`]: { file: 'ubl-invoice-2.1.xsd', prefix: 'in', notice: oasis },
  [`${ubl}CreditNote-2`]: { file: 'ubl-credit-note-2.1.xsd', prefix: 'cn', notice: oasis },
  [`${ubl}CommonAggregateComponents-2`]: { file: 'ubl-common-aggregate.xsd', prefix: 'cac', notice: oasis },
  [`${ubl}CommonBasicComponents-2`]: { file: 'ubl-common-basic.xsd', prefix: 'cbc', notice: oasis },
  [`${ubl}CommonExtensionComponents-2`]: { file: 'ubl-common-extension.xsd', prefix: 'ext', notice: oasis },
  [`${ubl}CommonSignatureComponents-2`]: { file: 'ubl-common-signature.xsd', prefix: 'sig', notice: oasis },
  [`${ubl}SignatureAggregateComponents-2`]: { file: 'ubl-signature-aggregate.xsd', prefix: 'sac', notice: oasis },
  [`${ubl}SignatureBasicComponents-2`]: { file: 'ubl-signature-basic.xsd', prefix: 'sbc', notice: oasis },
  [`${ubl}UnqualifiedDataTypes-2`]: { file: 'ubl-unqualified-data-types.xsd', prefix: 'udt', notice: oasis },
  'urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2': {
    file: 'ccts-core-component-types.xsd',
    prefix: 'cct',
    notice: ccts,
  },
  'http://www.w3.org/2000/09/xmldsig#': { file: 'xmldsig.xsd', prefix: 'ds', notice: w3c },
  'http://uri.etsi.org/01903/v1.3.2#': { file: 'xades-1.3.2.xsd', prefix: 'xades', notice: etsi },
  'http://uri.etsi.org/01903/v1.4.1#': { file: 'xades-1.4.1.xsd', prefix: 'xades141', notice: etsi },
};

export function moduleOf(namespace: string): SchemaModule {
  const module = modules[namespace];
  if (!module) throw new Error(`No file is foreseen for the namespace ${namespace}`);
  return module;
}
