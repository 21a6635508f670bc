// Kinds of notifications that connectors offer.
import type { NotificationInstanceDto } from '@signetry/contract';
import { kindAmong, kindsOffered, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export const kindsOf = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOffered(connectors, ['notificationProvider']);

/** Undefined if its connector was removed. */
export const kindOf = (
  instance: Pick<NotificationInstanceDto, 'connectorUuid' | 'kind'>,
  connectors: readonly Connector[],
): OfferedKind | undefined => kindAmong(kindsOf(connectors), instance);

/** The interface answers an empty identifier once the connector is removed. */
export const connectorOf = ({ connectorUuid, connectorName }: NotificationInstanceDto) => ({
  uuid: connectorUuid === '' ? undefined : connectorUuid,
  name: connectorName,
});
