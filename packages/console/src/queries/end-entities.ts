// Queries for end entities, which are identified by their RA profile and username.
import type { ClientEndEntityDto } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** End entity as a console object, identified by its username. */
export interface EndEntity extends ClientEndEntityDto {
  readonly uuid: string;
  readonly name: string;
}

const asObject = (entity: ClientEndEntityDto): EndEntity => ({
  ...entity,
  uuid: entity.username,
  name: entity.username,
});

export const END_ENTITIES_KEY = ['endEntities'];

export const endEntityListQuery = (raProfileName: string) =>
  queryOptions({
    queryKey: [...END_ENTITIES_KEY, 'list', raProfileName],
    queryFn: async ({ signal }) =>
      (await api.legacyClientOperations.listEntities({ params: { raProfileName } }, { signal })).map(asObject),
  });

export const endEntityQuery = (named: { readonly raProfileName: string; readonly username: string }) =>
  queryOptions({
    queryKey: [...END_ENTITIES_KEY, 'one', named.raProfileName, named.username],
    queryFn: async ({ signal }) =>
      asObject(await api.legacyClientOperations.getEndEntity({ params: named }, { signal })),
  });
