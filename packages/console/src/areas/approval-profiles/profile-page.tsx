// Page for a single approval profile: the steps in each of its versions, and the RA profiles that use it.
import { List, Stack, Text } from '@mantine/core';
import type { ApprovalProfileDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { capitalize } from '../../format/names.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { RelatedList } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { VersionPanel } from '../../kit/version-panel.tsx';
import { approvalProfileQuery } from '../../queries/approval-profiles.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeApprover, formatHours } from '../approvals/texts.ts';

export function ApprovalProfilePage() {
  const query = useQuery(approvalProfileQuery(useUuid()));
  return (
    <ObjectPage
      query={query}
      what="the approval profile"
      parent={{ to: paths.approvalProfiles.list, label: 'Approval profiles' }}
      description={({ description }) => description}
      actions={(profile) => <ApprovalProfileActions profile={profile} />}
      main={(latest) => (
        <VersionPanel title="Steps" latest={latest} queryOf={(version) => approvalProfileQuery(latest.uuid, version)}>
          {(profile) => <Rules profile={profile} />}
        </VersionPanel>
      )}
      side={({ uuid, usedBy }) => (
        <>
          <RelatedList
            title="Used by"
            what="RA profiles"
            query={{ data: usedBy, error: query.error, refetch: query.refetch }}
            linkOf={(user) => paths.raProfiles.one(user.uuid)}
            empty="None yet. Activate it on an RA profile."
          />
          <Panel title="Identifier">
            <Facts facts={[identifierFact(uuid)]} />
          </Panel>
        </>
      )}
    />
  );
}

function Rules({ profile }: { readonly profile: ApprovalProfileDetailDto }) {
  const { approvalSteps, expiry, allowOwnApproval } = profile;
  return (
    <Stack>
      <List type="ordered" spacing="sm">
        {approvalSteps
          .toSorted((one, other) => one.order - other.order)
          .map((step) => (
            <List.Item key={step.uuid}>
              {capitalize(describeApprover(step))}
              {step.description !== undefined && (
                <Text size="sm" c="dimmed">
                  {step.description}
                </Text>
              )}
            </List.Item>
          ))}
      </List>
      <Facts
        facts={[
          { name: 'Time limit', value: formatHours(expiry) },
          {
            name: 'Self-approval',
            value: allowOwnApproval ? 'Allowed' : 'Not allowed; a different user must approve',
          },
        ]}
      />
    </Stack>
  );
}

function ApprovalProfileActions({ profile }: { readonly profile: ApprovalProfileDetailDto }) {
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
                <Callout tone="warn" title="Approval profile in use">
                  Remove it from these RA profiles first: {usedBy.map((user) => user.name).join(', ')}
                </Callout>
              )}
              <Text>
                An approval profile can be removed only if it is not in use and no approval was ever requested with it,
                because past approvals must remain readable. This cannot be undone.
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
