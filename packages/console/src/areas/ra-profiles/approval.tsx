// An RA profile's approval profile. If there is one, requests under the RA profile must be approved first.
import { Group, Select, Text } from '@mantine/core';
import type { ApprovalProfileDto, RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { Actions } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { approvalProfileListQuery, raProfileApprovalQuery } from '../../queries/approval-profiles.ts';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatHours } from '../approvals/texts.ts';

export interface ApprovalProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function Approval(props: ApprovalProps) {
  const { profile, authorityUuid } = props;
  const query = useQuery(raProfileApprovalQuery({ authorityUuid, raProfileUuid: profile.uuid }));
  return (
    <Panel title="Approval" actions={query.data !== undefined && <Buttons {...props} present={query.data} />}>
      <QueryView of={query} what="the approval profile">
        {(present) => (present ? <CurrentProfile present={present} /> : <Text c="dimmed">No approval required.</Text>)}
      </QueryView>
    </Panel>
  );
}

function CurrentProfile({ present: { uuid, name, numberOfSteps, expiry } }: { readonly present: ApprovalProfileDto }) {
  const mayList = useMayList();
  return (
    <Facts
      facts={[
        {
          name: 'Approval profile',
          value: mayList('approvalProfiles') ? <TextLink to={paths.approvalProfiles.one(uuid)}>{name}</TextLink> : name,
        },
        { name: 'Steps', value: numberOfSteps },
        { name: 'Time limit', value: formatHours(expiry) },
      ]}
    />
  );
}

interface ButtonsProps extends ApprovalProps {
  readonly present: ApprovalProfileDto | null;
}

function Buttons({ profile, authorityUuid, present }: ButtonsProps) {
  const mayList = useMayList();
  const needs = ['raProfiles', 'update', profile.uuid] as const;
  return (
    <Group gap="xs">
      <Actions
        size="compact-sm"
        actions={[
          // Users without permission to list approval profiles do not have any to choose from.
          mayList('approvalProfiles') && {
            label: present ? 'Change' : 'Require approval',
            name: present ? 'Change the approval profile' : 'Require approval',
            needs,
            dialog: ({ opened, onClose }) =>
              opened && <ApprovalDialog {...{ profile, authorityUuid, present, onClose }} />,
          },
          present && {
            label: 'Remove',
            name: 'Remove the approval profile',
            isGrave: true,
            needs,
            run: () =>
              api.raProfileApprovals.disassociateRAProfileFromApprovalProfile({
                params: { authorityUuid, raProfileUuid: profile.uuid, approvalProfileUuid: present.uuid },
              }),
            done: `Requests under ${profile.name} no longer require approval.`,
            refresh: ['approvalProfiles'],
            ask: {
              title: `Carry out requests under ${profile.name} without approval?`,
              children: 'New requests are carried out immediately. Pending requests still require approval.',
            },
          },
        ]}
      />
    </Group>
  );
}

function ApprovalDialog({ profile, authorityUuid, present, onClose }: ButtonsProps & { readonly onClose: () => void }) {
  const { data = [], isPending } = useQuery(approvalProfileListQuery);
  const [chosen, setChosen] = useState<string | null>(present?.uuid ?? null);
  const queries = useQueryClient();
  const associate = async (): Promise<void> => {
    const params = { authorityUuid, raProfileUuid: profile.uuid, approvalProfileUuid: chosen ?? '' };
    await api.raProfileApprovals.associateRAProfileWithApprovalProfile({ params });
    await queries.invalidateQueries({ queryKey: ['approvalProfiles'] });
    notify.done(`Requests under ${profile.name} now require approval.`);
  };
  return (
    <FormDialog
      title={`Approval of requests under ${profile.name}`}
      submitLabel="Save"
      onClose={onClose}
      isReady={chosen !== null && chosen !== present?.uuid}
      submit={associate}
    >
      <Text>
        Certificates under {profile.name} are then issued, renewed, rekeyed and revoked only after approval, including
        those requested by protocol clients.
      </Text>
      <Select
        data-autofocus
        label="Approval profile"
        placeholder={isPending ? 'Loading…' : 'Choose one'}
        searchable
        nothingFoundMessage="No approval profile found. Create one under Approval profiles first."
        data={data.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
