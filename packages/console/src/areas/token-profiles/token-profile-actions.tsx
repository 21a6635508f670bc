// Token profile actions.
import type { TokenProfileDto } from '@signetry/contract';
import { IconKey } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { tokenProfileQuery } from '../../queries/tokens.ts';

export function TokenProfileActions({ profile }: { readonly profile: TokenProfileDto }) {
  const { uuid, name, enabled, tokenInstanceUuid } = profile;
  const params = { tokenInstanceUuid, uuid };
  const seesToken = ['tokens', 'detail', tokenInstanceUuid] as const;
  return (
    <Actions
      actions={[
        enabled && {
          label: 'New key',
          icon: IconKey,
          isPrimary: true,
          needs: [['keys', 'create'], ['tokenProfiles', 'detail', uuid], seesToken],
          to: paths.keys.newUnder(uuid),
        },
        editAction(paths.tokenProfiles.of(tokenInstanceUuid).edit(uuid), [
          ['tokenProfiles', 'update', uuid],
          seesToken,
        ]),
        switchAction({
          name,
          enabled,
          needs: [['tokenProfiles', 'enable', uuid], seesToken],
          enable: () => api.tokenProfiles.enableTokenProfile({ params }),
          disable: () => api.tokenProfiles.disableTokenProfile({ params }),
          consequence:
            'Until it is enabled again, its keys cannot be used and no keys can be created under it. Objects that sign with its keys, such as authorities, stop working.',
          refresh: ['tokenProfiles'],
        }),
        removeAction({
          name,
          needs: [['tokenProfiles', 'delete', uuid], seesToken],
          remove: () => api.tokenProfiles.deleteTokenProfile({ params }),
          consequence:
            'Its keys remain in the token, but cannot be used until they are assigned to another token profile of the same token. This cannot be undone.',
          list: paths.tokenProfiles.list,
          queryKey: tokenProfileQuery({ tokenUuid: tokenInstanceUuid, uuid }).queryKey,
        }),
      ]}
    />
  );
}
