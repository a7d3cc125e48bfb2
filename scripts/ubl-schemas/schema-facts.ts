export const xsdNamespace = 'http://www.w3.org/2001/XMLSchema';

export type QualifiedName = { readonly namespace: string; readonly name: string };

/** An XSD element reduced to what decides over the validity of documents. */
export type SchemaPart = {
  /** The local name of the XSD element, for example `complexType`. */
  readonly kind: string;
  /** Attributes that differ from their default. */
  readonly attributes: readonly (readonly [name: string, value: string | QualifiedName])[];
  readonly parts: readonly SchemaPart[];
};

export type NamespaceFacts = {
  readonly namespace: string;
  /** Namespaces whose components this one refers to or makes known to its wildcards. */
  readonly imports: readonly string[];
  /** Global elements and named types, in the order of their source. */
  readonly components: readonly SchemaPart[];
};
