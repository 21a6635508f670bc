// Kinds of objects offered by connectors.
import type { FunctionGroupCode } from '@signetry/contract';
import type { ConnectorKind } from '../../queries/connectors.ts';
import type { Connector } from './shapes.ts';
import { describeUrl } from './texts.ts';

export interface OfferedKind extends ConnectorKind {
  readonly connectorName: string;
  readonly address: string;
}

/** Returns the kinds of the given function groups. */
export const kindsOfGroups = (
  connectors: readonly Connector[],
  codes: readonly FunctionGroupCode[],
): readonly OfferedKind[] =>
  connectors.flatMap((connector) =>
    connector.functionGroups
      .filter(({ functionGroupCode: code }) => codes.includes(code))
      .flatMap(({ functionGroupCode: functionGroup, kinds }) =>
        kinds.map((kind) => ({
          connectorUuid: connector.uuid,
          connectorName: connector.name,
          address: describeUrl(connector),
          functionGroup,
          kind,
        })),
      ),
  );

/** Returns the label of a kind of token, discovery or entity, or its code if it has no label. */
export const describeKind = (kind: string): string => kindWords.get(kind) ?? kind;

const kindWords: ReadonlyMap<string, string> = new Map([
  ['SOFT', 'Software token'],
  ['PKCS11', 'PKCS#11 library'],
  ['IP-Hostname', 'Network scan'],
  ['CT-Static', 'Certificate transparency log'],
  ['Files', 'Files on a server'],
  ['EMAIL', 'Email'],
  ['WEBHOOK', 'Webhook'],
  ['PEM', 'PEM files'],
  ['Keystore', 'Key store (PKCS #12 or JKS)'],
]);

/** Returns the authority kinds of both generations. */
export const kindsOfAuthorities = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOfGroups(connectors, ['authorityProvider', 'legacyAuthorityProvider']);

/** Returns the kinds of cryptography providers. */
export const kindsOfTokens = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOfGroups(connectors, ['cryptographyProvider']);

/** Returns the kind of an object, or undefined if its connector was removed. */
export const findKind = (
  kinds: readonly OfferedKind[],
  { connectorUuid, kind }: { readonly connectorUuid?: string | undefined; readonly kind: string },
): OfferedKind | undefined => kinds.find((each) => each.connectorUuid === connectorUuid && each.kind === kind);

/** Returns a key that is unique among all kinds. */
export const keyOf = ({ connectorUuid, functionGroup, kind }: ConnectorKind): string =>
  [connectorUuid, functionGroup, kind].join(' ');
