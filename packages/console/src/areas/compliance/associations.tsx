// Lists the RA profiles and token profiles to which a compliance profile is assigned, and lets users assign and
// unassign it.
import { Group, Select, Stack, Text } from '@mantine/core';
import type { ResourceObjectDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { associationsQuery } from '../../queries/compliance.ts';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';
import { tokenProfileListQuery } from '../../queries/tokens.ts';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const kinds: Readonly<Record<string, string>> = { raProfiles: 'RA profile', tokenProfiles: 'Token profile' };

export function Associations({ uuid }: { readonly uuid: string }) {
  return (
    <Panel
      title="Assigned to"
      actions={
        <ActionButton
          size="compact-sm"
          action={{
            label: 'Assign',
            name: 'Assign to an RA profile or token profile',
            needs: ['complianceProfiles', 'update', uuid],
            dialog: ({ opened, onClose }) => opened && <AddDialog uuid={uuid} onClose={onClose} />,
          }}
        />
      }
    >
      <QueryView of={useQuery(associationsQuery(uuid))} what="the assignments" empty={<NoAssociations />}>
        {(associations) => (
          <Stack gap="xs">
            {associations.map((each) => (
              <Association key={`${each.resource} ${each.objectUuid}`} uuid={uuid} of={each} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

const NoAssociations = () => (
  <Text size="sm" c="dimmed">
    Not assigned yet, so no certificates or keys are checked.
  </Text>
);

function Association({
  uuid,
  of: { resource, objectUuid, name },
}: {
  readonly uuid: string;
  readonly of: ResourceObjectDto;
}) {
  const params = { uuid, resource, associationObjectUuid: objectUuid };
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        {resource === 'raProfiles' ? (
          <TextLink to={paths.raProfiles.one(objectUuid)}>{name}</TextLink>
        ) : (
          <Text size="sm">{name}</Text>
        )}
        <Text size="xs" c="dimmed">
          {kinds[resource] ?? resource}
        </Text>
      </div>
      <ActionButton
        size="compact-sm"
        action={{
          label: 'Unassign',
          name: `Unassign from ${name}`,
          needs: [
            ['complianceProfiles', 'update', uuid],
            [resource, 'update', objectUuid],
          ],
          run: () => api.complianceProfiles.disassociateComplianceProfileV2({ params }),
          done: `The compliance profile is no longer assigned to ${name}.`,
          refresh: ['complianceProfiles'],
        }}
      />
    </Group>
  );
}

function AddDialog({ uuid, onClose }: { readonly uuid: string; readonly onClose: () => void }) {
  const mayList = useMayList();
  const queries = useQueryClient();
  const raProfiles = useQuery({ ...raProfileListQuery, enabled: mayList('raProfiles') });
  const tokenProfiles = useQuery({ ...tokenProfileListQuery, enabled: mayList('tokenProfiles') });
  const [chosen, choose] = useState<string | null>(null);
  const itemsOf = (resource: string, objects: readonly { readonly uuid: string; readonly name: string }[] = []) =>
    objects.map((each) => ({ value: `${resource} ${each.uuid}`, label: each.name }));
  return (
    <FormDialog
      title="Assign compliance profile"
      submitLabel="Assign"
      isReady={chosen !== null}
      onClose={onClose}
      submit={async () => {
        const [kind, associationObjectUuid = ''] = (chosen ?? '').split(' ');
        const resource = kind === 'tokenProfiles' ? 'tokenProfiles' : 'raProfiles';
        await api.complianceProfiles.associateComplianceProfileV2({
          params: { uuid, resource, associationObjectUuid },
        });
        await queries.invalidateQueries({ queryKey: ['complianceProfiles'] });
        notify.done('Compliance profile assigned. Existing objects are checked when you start a check.');
      }}
    >
      <Select
        label="RA profile or token profile"
        description="Certificates and requests of an RA profile, or keys of a token profile, are checked against the compliance profile. Requests that violate a request rule are rejected."
        required
        searchable
        placeholder="Choose"
        nothingFoundMessage="No matching profile"
        data={[
          { group: 'RA profiles', items: itemsOf('raProfiles', raProfiles.data) },
          { group: 'Token profiles', items: itemsOf('tokenProfiles', tokenProfiles.data) },
        ]}
        value={chosen}
        onChange={choose}
      />
    </FormDialog>
  );
}
