// Accesses an entity through its connector, and provides the connector's forms for it.
import { entityProviderOperations, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import type { Platform } from '../../platform/platform.ts';
import type { CredentialUse } from '../attributes/index.ts';
import { assertReachable, type ConnectorClient, type Connectors } from '../connectors/index.ts';
import { entities } from './store.ts';
import type { EntityRow } from './tables.ts';

/** Entity with a connector. */
export type ReachableEntity = EntityRow & { readonly connector_uuid: string };

export interface ReachedEntity {
  readonly entity: ReachableEntity;
  readonly client: ConnectorClient;
  /** Path parameters of entity operations. */
  readonly params: { readonly entityUuid: string };
}

/** Connector operations for one form of the entity. */
export interface EntityForm {
  readonly list: (typeof entityProviderOperations)[
    'listLocationAttributes' | 'listPushCertificateAttributes' | 'listGenerateCsrAttributes'];
  readonly validate: (typeof entityProviderOperations)[
    'validateLocationAttributes' | 'validatePushCertificateAttributes' | 'validateGenerateCsrAttributes'];
}

/** Caller who supplies the form values, and the signal that aborts the call. */
interface Caller extends CredentialUse {
  readonly signal?: AbortSignal | undefined;
}

export type EntityAccess = ReturnType<typeof createEntityAccess>;

export function createEntityAccess({ database }: Platform, { connectors }: { readonly connectors: Connectors }) {
  /** Throws 404 if the entity does not exist. */
  async function reach(uuid: string): Promise<ReachedEntity> {
    const entity = await entities.require(database.executor, uuid);
    assertReachable(entity, entities.what);
    const client = await connectors.client(entity.connector_uuid);
    return { entity, client, params: { entityUuid: entity.connector_entity_uuid } };
  }

  /** Returns the form as currently reported by the connector. */
  async function definitions(uuid: string, form: EntityForm, signal?: AbortSignal): Promise<BaseAttributeDto[]> {
    const { client, params } = await reach(uuid);
    return client.call(form.list, { params }, { signal });
  }

  /** Validates form values at the connector and on the platform (422). */
  async function accept(
    uuid: string,
    form: EntityForm,
    { requested, caller }: { readonly requested: readonly RequestAttributeDto[]; readonly caller: Caller },
  ): Promise<RequestAttributeDto[]> {
    const { entity, client, params } = await reach(uuid);
    const { signal, actor, before } = caller;
    return connectors.accept(
      {
        connectorUuid: entity.connector_uuid,
        actor,
        before,
        validate: (body) => client.call(form.validate, { params, body: [...body] }, { signal }),
        list: () => client.call(form.list, { params }, { signal }),
      },
      requested,
    );
  }

  return { reach, definitions, accept };
}

const provider = entityProviderOperations;

export const locationForm: EntityForm = {
  list: provider.listLocationAttributes,
  validate: provider.validateLocationAttributes,
};

export const pushForm: EntityForm = {
  list: provider.listPushCertificateAttributes,
  validate: provider.validatePushCertificateAttributes,
};

export const csrForm: EntityForm = {
  list: provider.listGenerateCsrAttributes,
  validate: provider.validateGenerateCsrAttributes,
};
