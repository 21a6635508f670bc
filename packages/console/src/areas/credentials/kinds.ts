// Kinds of credentials offered by connectors.
import { findKind, kindsOfGroups, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export const kindsOf = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOfGroups(connectors, ['credentialProvider']);

/** Returns the kind of a credential, or undefined if its connector was removed. */
export const kindOf = (
  credential: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): OfferedKind | undefined => findKind(kindsOf(connectors), credential);
