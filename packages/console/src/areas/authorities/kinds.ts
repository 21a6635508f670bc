// Kinds of authorities offered by connectors.
import { findKind, kindsOfAuthorities, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export type AuthorityKind = OfferedKind;

/**
 * Returns the preselected kind: the only kind, or the only second-generation kind. If the given connector offers any
 * kinds, only those are considered.
 */
export function usualKind(kinds: readonly AuthorityKind[], connectorUuid?: string): AuthorityKind | undefined {
  const own = kinds.filter((kind) => kind.connectorUuid === connectorUuid);
  const near = own.length > 0 ? own : kinds;
  const current = near.filter(({ functionGroup }) => functionGroup === 'authorityProvider');
  const [only, ...others] = current.length > 0 ? current : near;
  return others.length === 0 ? only : undefined;
}

/** Returns the kind of an authority, or undefined if its connector was removed. */
export const kindOf = (
  authority: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): AuthorityKind | undefined => findKind(kindsOfAuthorities(connectors), authority);
