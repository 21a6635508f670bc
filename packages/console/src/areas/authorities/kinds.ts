// Kinds of authorities that connectors offer.
import { kindAmong, kindsOfAuthorities, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export type AuthorityKind = OfferedKind;

/**
 * What is chosen at first: the only kind, or the only one of the second generation; of the connector that somebody
 * comes from, where it has any.
 */
export function usualKind(kinds: readonly AuthorityKind[], connectorUuid?: string): AuthorityKind | undefined {
  const own = kinds.filter((kind) => kind.connectorUuid === connectorUuid);
  const near = own.length > 0 ? own : kinds;
  const current = near.filter(({ functionGroup }) => functionGroup === 'authorityProvider');
  const [only, ...others] = current.length > 0 ? current : near;
  return others.length === 0 ? only : undefined;
}

/** The kind of an authority; undefined if its connector was removed. */
export const kindOf = (
  authority: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): AuthorityKind | undefined => kindAmong(kindsOfAuthorities(connectors), authority);
