// What can be done with an authority.
import type { AuthorityInstanceDto, RaProfileDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { authorityQuery } from '../../queries/authorities.ts';

export interface AuthorityActionsProps {
  readonly authority: AuthorityInstanceDto;
  /** Of this authority. */
  readonly raProfiles: readonly RaProfileDto[];
}

export function AuthorityActions({ authority, raProfiles }: AuthorityActionsProps) {
  const { uuid, name, connectorUuid } = authority;
  return (
    <Actions
      actions={[
        connectorUuid !== undefined && editAction(paths.authorities.edit(uuid), ['authorities', 'update', uuid]),
        removeAction({
          name,
          needs: ['authorities', 'delete', uuid],
          remove: () => api.authorities.deleteAuthorityInstance({ params: { uuid } }),
          consequence:
            'It is removed from its connector as well. If the connector holds the CA key, the CA can no longer sign certificates or CRLs. Certificates that it issued stay in the inventory.',
          force: {
            consequence:
              'Objects that depend on it are kept, but can no longer be used to issue. The authority is removed here even if its connector refuses. This cannot be undone.',
            remove: () => api.authorities.forceDeleteAuthorityInstances({ body: [uuid] }),
            dependents: raProfiles.map((profile) => ({ name: profile.name, to: paths.raProfiles.one(profile.uuid) })),
          },
          list: paths.authorities.list,
          queryKey: authorityQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
