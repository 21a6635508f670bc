// Actions for an ACME profile.
import { api } from '../../api/client.ts';
import { Actions, type LinkAction, type RunAction } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { ACME_KEY, profileQuery } from '../../queries/acme.ts';
import type { ListedProfile } from './shapes.ts';

export const switchProfile = ({ uuid, name, enabled }: ListedProfile): RunAction =>
  switchAction({
    name,
    enabled,
    needs: ['acmeProfiles', 'enable', uuid],
    enable: () => api.acmeProfiles.enableAcmeProfile({ params: { uuid } }),
    disable: () => api.acmeProfiles.disableAcmeProfile({ params: { uuid } }),
    consequence:
      'Clients cannot obtain or renew certificates until the profile is enabled again. Issued certificates stay valid; accounts and keys are kept.',
    refresh: ACME_KEY,
  });

/** Action for an ACME profile without a directory. */
export const chooseRaProfile = (uuid: string): LinkAction => ({
  label: 'Choose RA profile',
  isPrimary: true,
  needs: ['acmeProfiles', 'update', uuid],
  to: paths.acme.edit(uuid),
});

export function ProfileActions({ profile }: { readonly profile: ListedProfile }) {
  const { uuid, name } = profile;
  return (
    <Actions
      actions={[
        editAction(paths.acme.edit(uuid), ['acmeProfiles', 'update', uuid]),
        switchProfile(profile),
        removeAction({
          name,
          needs: ['acmeProfiles', 'delete', uuid],
          remove: () => api.acmeProfiles.deleteAcmeProfile({ params: { uuid } }),
          consequence:
            'The directory, accounts, orders and external account keys are deleted, and clients can no longer renew certificates. Issued certificates stay valid and remain in the inventory. This cannot be undone.',
          force: {
            reason: 'RA profiles use this ACME profile',
            consequence:
              'These RA profiles stop serving ACME but are otherwise unchanged. The accounts, orders and keys of the ACME profile are deleted.',
            remove: () => api.acmeProfiles.forceDeleteACMEProfiles({ body: [uuid] }),
          },
          list: paths.acme.list,
          queryKey: profileQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
