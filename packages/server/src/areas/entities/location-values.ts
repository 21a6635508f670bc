// Values of locations: what they are configured with, and by which each certificate was pushed and asked for.
import type { DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { AttributeEngine } from '../attributes/index.ts';

/** As values of the attribute engine are called. */
type HeldUse = 'push' | 'csr';

interface Held {
  readonly locationUuid: string;
  readonly certificateUuid: string;
  readonly connectorUuid: string | null;
}

export type LocationValues = ReturnType<typeof createLocationValues>;

export const locationSet = (uuid: string, connectorUuid: string | null) => ({
  object: { resource: 'locations', uuid } as const,
  scope: { connectorUuid },
});

const heldSet = ({ locationUuid, certificateUuid, connectorUuid }: Held, operation: HeldUse) => ({
  object: { resource: 'locations', uuid: locationUuid } as const,
  scope: { connectorUuid, operation, purpose: certificateUuid },
});

export function createLocationValues(attributes: AttributeEngine) {
  return {
    /** With the location, as its connector gets them with every call. */
    toSend: async (uuid: string, connectorUuid: string): Promise<RequestAttributeDto[]> => {
      const { object, scope } = locationSet(uuid, connectorUuid);
      return attributes.expandCredentials(await attributes.readForConnector(object, scope));
    },
    shown: (uuid: string, connectorUuid: string | null): Promise<ResponseAttributeDto[]> => {
      const { object, scope } = locationSet(uuid, connectorUuid);
      return attributes.read(object, scope);
    },
    shownOf: (held: Held, use: HeldUse): Promise<ResponseAttributeDto[]> => {
      const { object, scope } = heldSet(held, use);
      return attributes.read(object, scope);
    },
    readOf: (held: Held, use: HeldUse): Promise<RequestAttributeDto[]> => {
      const { object, scope } = heldSet(held, use);
      return attributes.readForConnector(object, scope);
    },
    keepOf: async (tx: Executor, held: Held, values: Readonly<Record<HeldUse, readonly RequestAttributeDto[]>>) => {
      await attributes.replaceValues(tx, { ...heldSet(held, 'push'), attributes: values.push });
      await attributes.replaceValues(tx, { ...heldSet(held, 'csr'), attributes: values.csr });
    },
    forgetOf: async (tx: Executor, held: Held) => {
      await attributes.replaceValues(tx, { ...heldSet(held, 'push'), attributes: [] });
      await attributes.replaceValues(tx, { ...heldSet(held, 'csr'), attributes: [] });
    },
  };
}

/** What a provider told in the form of definitions with their values. */
export const asRequested = (told: readonly DataAttribute[] = []): RequestAttributeDto[] =>
  told.flatMap(({ uuid, name, contentType, content }) =>
    content === undefined || content.length === 0 ? [] : [{ uuid, name, contentType, content }],
  );
