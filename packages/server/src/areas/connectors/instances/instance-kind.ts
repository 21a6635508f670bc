// Objects that live at a connector: authorities, tokens, entities and notification instances. The connector makes,
// changes and removes them; the platform keeps a row, the values of their attributes, and the identifier that the
// connector gave them. What is particular to a kind is in this description, everything else in the files beside it.
import type { FunctionGroupCode, RequestAttributeDto } from '@signetry/contract';
import type { NamedObjects, NamedRow } from '../../../platform/objects/named-objects.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine, AttributeObject, CustomValues } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clients, ConnectorClient } from '../clients.ts';
import type { createProviderAttributes } from '../provider-attributes.ts';

export interface InstanceRow extends NamedRow {
  readonly kind: string;
  /** Null when its connector was removed. */
  readonly connector_uuid: string | null;
  readonly connector_name: string;
  /** Nobody else may edit it until then. */
  readonly edited_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What a connector is told of an instance. */
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
  /** As sentences call one: `token`. */
  readonly noun: string;
  /** The identifier that its connector knows it by. */
  readonly remoteUuid: (row: Row) => string;
  /** Its operations at the connector. */
  readonly calls: {
    create(client: ConnectorClient, body: InstanceBody, options: InstanceCallOptions): Promise<Answer>;
    update(
      client: ConnectorClient,
      call: { readonly uuid: string; readonly body: InstanceBody },
      options: InstanceCallOptions,
    ): Promise<Answer>;
    remove(client: ConnectorClient, uuid: string, options: InstanceCallOptions): Promise<unknown>;
  };
  /** The function group in which a connector offers a kind. */
  readonly functionGroupOf: (of: KindAtConnector) => Promise<FunctionGroupCode>;
  /** What marks a row whose removal has begun, and takes the mark away again. */
  readonly removal: { readonly begun: Partial<Omit<Row, 'uuid'>>; readonly givenUp: Partial<Omit<Row, 'uuid'>> };
}

export interface KindAtConnector {
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
  /** Absent where instances of the kind have no custom attributes. */
  readonly values?: CustomValues | undefined;
}

/** The values of an instance, under its connector. */
export const valueSetOf = <Row extends InstanceRow>(
  { resource }: Pick<InstanceKind<Row, never>, 'resource'>,
  { uuid, connector_uuid: connectorUuid }: Pick<Row, 'uuid' | 'connector_uuid'>,
) => ({ object: { resource, uuid } as const, scope: { connectorUuid } });
