// Kinds of authorities that connectors offer.
import { addressOf } from '../connectors/words.ts';
import type { KindOfConnector } from '../../queries/connectors.ts';
import type { Connector } from '../connectors/shapes.ts';

export interface AuthorityKind extends KindOfConnector {
  readonly connectorName: string;
  readonly address: string;
}

export const kindsOf = (connectors: readonly Connector[]): readonly AuthorityKind[] =>
  connectors.flatMap((connector) =>
    connector.functionGroups
      .filter(({ functionGroupCode: code }) => code === 'authorityProvider' || code === 'legacyAuthorityProvider')
      .flatMap(({ functionGroupCode: functionGroup, kinds }) =>
        kinds.map((kind) => ({
          connectorUuid: connector.uuid,
          connectorName: connector.name,
          address: addressOf(connector),
          functionGroup,
          kind,
        })),
      ),
  );

/** What is chosen at first: the only kind, or the only one of the second generation. */
export function usualKind(kinds: readonly AuthorityKind[]): AuthorityKind | undefined {
  const current = kinds.filter(({ functionGroup }) => functionGroup === 'authorityProvider');
  const [only, ...others] = current.length > 0 ? current : kinds;
  return others.length === 0 ? only : undefined;
}

/** The kind of an authority; undefined if its connector was removed. */
export const kindOf = (
  { connectorUuid, kind }: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): AuthorityKind | undefined =>
  kindsOf(connectors).find((each) => each.connectorUuid === connectorUuid && each.kind === kind);

/** Identifies a kind among all of them. */
export const keyOf = ({ connectorUuid, functionGroup, kind }: KindOfConnector): string =>
  [connectorUuid, functionGroup, kind].join(' ');
