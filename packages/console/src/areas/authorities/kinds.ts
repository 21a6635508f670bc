// Kinds of authorities that connectors offer.
import { kindAmong, kindsOffered, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export type AuthorityKind = OfferedKind;

export const kindsOf = (connectors: readonly Connector[]): readonly AuthorityKind[] =>
  kindsOffered(connectors, ['authorityProvider', 'legacyAuthorityProvider']);

/** What is chosen at first: the only kind, or the only one of the second generation. */
export function usualKind(kinds: readonly AuthorityKind[]): AuthorityKind | undefined {
  const current = kinds.filter(({ functionGroup }) => functionGroup === 'authorityProvider');
  const [only, ...others] = current.length > 0 ? current : kinds;
  return others.length === 0 ? only : undefined;
}

/** The kind of an authority; undefined if its connector was removed. */
export const kindOf = (
  authority: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): AuthorityKind | undefined => kindAmong(kindsOf(connectors), authority);
