// Kinds of authorities that connectors offer.
import { kindAmong, kindsOffered, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export type AuthorityKind = OfferedKind;

export const kindsOf = (connectors: readonly Connector[]): readonly AuthorityKind[] =>
  kindsOffered(connectors, ['authorityProvider', 'legacyAuthorityProvider']);

/** The kind of an authority; undefined if its connector was removed. */
export const kindOf = (
  authority: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): AuthorityKind | undefined => kindAmong(kindsOf(connectors), authority);
