// Kinds of entities offered by connectors.
import { findKind, kindsOfGroups, describeKind, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export const kindsOfEntities = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOfGroups(connectors, ['entityProvider']);

/** Returns the kind of an entity, or undefined if its connector was removed. */
export const kindOf = (
  entity: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): OfferedKind | undefined => findKind(kindsOfEntities(connectors), entity);

/** Labels for filters. */
export const kindCodeTexts = {
  ENTITY_KIND: { PEM: describeKind('PEM'), Keystore: describeKind('Keystore') },
};
