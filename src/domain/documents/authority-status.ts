/** The authority's own status of a registered document, for example 01 sent, 03 accepted by the buyer, 05 refused. */
export type AuthorityStatus = { readonly code: string; readonly name: string | null };
