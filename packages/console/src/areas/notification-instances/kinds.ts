// Kinds of notification providers that connectors offer.
import type { NotificationInstanceDto } from '@signetry/contract';
import { findKind, kindsOfGroups, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

export const kindsOf = (connectors: readonly Connector[]): readonly OfferedKind[] =>
  kindsOfGroups(connectors, ['notificationProvider']);

/** Returns undefined if the provider's connector was removed. */
export const kindOf = (
  instance: Pick<NotificationInstanceDto, 'connectorUuid' | 'kind'>,
  connectors: readonly Connector[],
): OfferedKind | undefined => findKind(kindsOf(connectors), instance);

/** The API returns an empty UUID if the connector was removed. */
export const connectorOf = ({ connectorUuid, connectorName }: NotificationInstanceDto) => ({
  uuid: connectorUuid === '' ? undefined : connectorUuid,
  name: connectorName,
});
