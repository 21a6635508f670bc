// How an entity is reached at its connector, and the forms that its connector has for it.
import { entityProviderOperations, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import type { Platform } from '../../platform/platform.ts';
import type { CredentialUse } from '../attributes/index.ts';
import { assertReachable, type ConnectorClient, type Connectors } from '../connectors/index.ts';
import { entities } from './store.ts';
import type { EntityRow } from './tables.ts';

/** An entity whose connector is there. */
export type ReachableEntity = EntityRow & { readonly connector_uuid: string };

export interface ReachedEntity {
  readonly entity: ReachableEntity;
  readonly client: ConnectorClient;
  /** Path parameters of operations on the entity. */
  readonly params: { readonly entityUuid: string };
}

/** Two operations of the connector that are about one form of the entity. */
export interface EntityForm {
  readonly list: (typeof entityProviderOperations)[
    'listLocationAttributes' | 'listPushCertificateAttributes' | 'listGenerateCsrAttributes'];
  readonly validate: (typeof entityProviderOperations)[
    'validateLocationAttributes' | 'validatePushCertificateAttributes' | 'validateGenerateCsrAttributes'];
}

/** Who gives the values of a form, and until when they wait. */
interface Caller extends CredentialUse {
  readonly signal?: AbortSignal | undefined;
}

export type EntityAccess = ReturnType<typeof createEntityAccess>;

export function createEntityAccess({ database }: Platform, { connectors }: { readonly connectors: Connectors }) {
  /** 404 when there is none. */
  async function reach(uuid: string): Promise<ReachedEntity> {
    const entity = await entities.require(database.executor, uuid);
    assertReachable(entity, entities.what);
    const client = await connectors.client(entity.connector_uuid);
    return { entity, client, params: { entityUuid: entity.connector_entity_uuid } };
  }

  /** The form as its connector shows it now. */
  async function definitions(uuid: string, form: EntityForm, signal?: AbortSignal): Promise<BaseAttributeDto[]> {
    const { client, params } = await reach(uuid);
    return client.call(form.list, { params }, { signal });
  }

  /** Has the connector and the platform judge the values of a form (422). */
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
