// Kinds of entities offered by connectors.
import { kindAmong, kindsOffered, wordsOfKind, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export const kindsOfEntities = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOffered(connectors, ['entityProvider']);

/** Returns the kind of an entity, or undefined if its connector was removed. */
export const kindOf = (
  entity: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): OfferedKind | undefined => kindAmong(kindsOfEntities(connectors), entity);

/** Labels for filters. */
export const kindCodeWords = {
  ENTITY_KIND: { PEM: wordsOfKind('PEM'), Keystore: wordsOfKind('Keystore') },
};
