// Objects at a connector: authorities, tokens, entities and notification instances. The connector creates, changes and
// removes them; the platform stores a row, their attribute values, and the identifier assigned by the connector. This
// description contains everything specific to a kind, and the neighboring files contain the rest.
import type { FunctionGroupCode, RequestAttributeDto } from '@signetry/contract';
import type { NamedObjects, NamedRow } from '../../../platform/objects/named-objects.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine, AttributeObject, CustomValues } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clients, ConnectorClient } from '../clients.ts';
import type { createProviderAttributes } from '../provider-attributes.ts';

export interface InstanceRow extends NamedRow {
  readonly kind: string;
  /** Null if the instance's connector was removed. */
  readonly connector_uuid: string | null;
  readonly connector_name: string;
  /** No other edit is accepted until this time. */
  readonly edited_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Instance as described to the connector. */
export interface InstanceBody {
  readonly name: string;
  readonly kind: string;
  readonly attributes: RequestAttributeDto[];
}

export interface InstanceCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface InstanceKind<Row extends InstanceRow, Answer extends { readonly uuid: string }> {
  readonly resource: AttributeObject['resource'];
  readonly objects: NamedObjects<Row>;
  /** Noun for use in sentences, e.g. `token`. */
  readonly noun: string;
  /** Returns the instance's identifier at the connector. */
  readonly remoteUuid: (row: Row) => string;
  /** The kind's operations at the connector. */
  readonly calls: {
    create(client: ConnectorClient, body: InstanceBody, options: InstanceCallOptions): Promise<Answer>;
    update(
      client: ConnectorClient,
      call: { readonly uuid: string; readonly body: InstanceBody },
      options: InstanceCallOptions,
    ): Promise<Answer>;
    remove(client: ConnectorClient, uuid: string, options: InstanceCallOptions): Promise<unknown>;
  };
  /** Returns the function group in which a connector offers a kind. */
  readonly functionGroupOf: (of: ConnectorKind) => Promise<FunctionGroupCode>;
  /** Column changes that mark a row when its removal starts, and that clear the mark. */
  readonly removal: { readonly begun: Partial<Omit<Row, 'uuid'>>; readonly givenUp: Partial<Omit<Row, 'uuid'>> };
}

export interface ConnectorKind {
  readonly connectorUuid: string;
  readonly kind: string;
}

export interface InstanceParts<Row extends InstanceRow, Answer extends { readonly uuid: string }> {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Pick<Clients, 'client' | 'facts'> &
    Pick<ReturnType<typeof createProviderAttributes>, 'acceptOfKind'>;
  readonly instance: InstanceKind<Row, Answer>;
  /** Absent if this kind of instance has no custom attributes. */
  readonly values?: CustomValues | undefined;
}

/** Returns the key of an instance's value set, scoped to its connector. */
export const valueSetOf = <Row extends InstanceRow>(
  { resource }: Pick<InstanceKind<Row, never>, 'resource'>,
  { uuid, connector_uuid: connectorUuid }: Pick<Row, 'uuid' | 'connector_uuid'>,
) => ({ object: { resource, uuid } as const, scope: { connectorUuid } });
