// Locations' values: their configuration, and the push and CSR attributes of each certificate.
import type { DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { AttributeEngine } from '../attributes/index.ts';

/** Operation names of value sets in the attribute engine. */
type HeldUse = 'push' | 'csr';

interface HeldEntry {
  readonly locationUuid: string;
  readonly certificateUuid: string;
  readonly connectorUuid: string | null;
}

export type LocationValues = ReturnType<typeof createLocationValues>;

export const locationSet = (uuid: string, connectorUuid: string | null) => ({
  object: { resource: 'locations', uuid } as const,
  scope: { connectorUuid },
});

const heldSet = ({ locationUuid, certificateUuid, connectorUuid }: HeldEntry, operation: HeldUse) => ({
  object: { resource: 'locations', uuid: locationUuid } as const,
  scope: { connectorUuid, operation, purpose: certificateUuid },
});

export function createLocationValues(attributes: AttributeEngine) {
  return {
    /** Returns the location's values, as sent to the connector with every call. */
    toSend: async (uuid: string, connectorUuid: string): Promise<RequestAttributeDto[]> => {
      const { object, scope } = locationSet(uuid, connectorUuid);
      return attributes.expandCredentials(await attributes.readForConnector(object, scope));
    },
    shown: (uuid: string, connectorUuid: string | null): Promise<ResponseAttributeDto[]> => {
      const { object, scope } = locationSet(uuid, connectorUuid);
      return attributes.read(object, scope);
    },
    shownOf: (held: HeldEntry, use: HeldUse): Promise<ResponseAttributeDto[]> => {
      const { object, scope } = heldSet(held, use);
      return attributes.read(object, scope);
    },
    readOf: (held: HeldEntry, use: HeldUse): Promise<RequestAttributeDto[]> => {
      const { object, scope } = heldSet(held, use);
      return attributes.readForConnector(object, scope);
    },
    keepOf: async (
      tx: Executor,
      held: HeldEntry,
      values: Readonly<Record<HeldUse, readonly RequestAttributeDto[]>>,
    ) => {
      // The connector chose these; those for the CSR were validated against its definitions.
      const push =
        held.connectorUuid === null ? [] : await attributes.defineValues(tx, held.connectorUuid, values.push);
      await attributes.replaceValues(tx, { ...heldSet(held, 'push'), attributes: push });
      await attributes.replaceValues(tx, { ...heldSet(held, 'csr'), attributes: values.csr });
    },
    forgetOf: async (tx: Executor, held: HeldEntry) => {
      await attributes.replaceValues(tx, { ...heldSet(held, 'push'), attributes: [] });
      await attributes.replaceValues(tx, { ...heldSet(held, 'csr'), attributes: [] });
    },
  };
}

/** Converts definitions with values, as returned by a provider, to request attributes. */
export const toRequestAttributes = (told: readonly DataAttribute[] = []): RequestAttributeDto[] =>
  told.flatMap(({ uuid, name, contentType, content }) =>
    content === undefined || content.length === 0 ? [] : [{ uuid, name, contentType, content }],
  );
