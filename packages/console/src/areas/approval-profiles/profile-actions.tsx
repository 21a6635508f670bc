// What can be done with an approval profile.
import { Stack, Text } from '@mantine/core';
import type { ApprovalProfileDetailDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { approvalProfileQuery } from '../../queries/approval-profiles.ts';
import { Callout } from '../../ui/callout.tsx';

export function ApprovalProfileActions({ profile }: { readonly profile: ApprovalProfileDetailDto }) {
  const { uuid, name, usedBy } = profile;
  return (
    <Actions
      actions={[
        editAction(paths.approvalProfiles.edit(uuid), ['approvalProfiles', 'update', uuid]),
        removeAction({
          name,
          needs: ['approvalProfiles', 'delete', uuid],
          remove: () => api.approvalProfiles.deleteApprovalProfile({ params: { uuid } }),
          consequence: (
            <Stack gap="sm">
              {usedBy.length > 0 && (
                <Callout tone="warn" title="It is in use">
                  Remove it from these RA profiles first: {usedBy.map((user) => user.name).join(', ')}
                </Callout>
              )}
              <Text>
                It can be removed only while nothing uses it and no approval was ever requested with it, since those
                stay readable. This cannot be undone.
              </Text>
            </Stack>
          ),
          list: paths.approvalProfiles.list,
          queryKey: approvalProfileQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
