// Page for a single group: its members, and a link to its certificates.
import { Anchor, Text } from '@mantine/core';
import type { GroupDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { RelatedList, filterRows } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateCountQuery } from '../../queries/certificates.ts';
import { groupQuery, useUsers } from '../../queries/people.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { inGroup, listOf } from '../certificates/filters.ts';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { ThresholdsPanel } from '../expiry/thresholds-panel.tsx';
import { AutomationPanel } from '../workflows/automation-panel.tsx';

export function GroupPage() {
  const mayList = useMayList();
  return (
    <ObjectPage
      query={useQuery(groupQuery(useUuid()))}
      what="the group"
      parent={{ to: paths.groups.list, label: 'Groups' }}
      description={({ description }) => description}
      actions={(group) => <GroupActions group={group} />}
      main={(group) => (
        <>
          {mayList('users') && <Members group={group} />}
          <CustomValues resource="groups" uuid={group.uuid} values={group.customAttributes} refresh={['groups']} />
          <AutomationPanel resource="groups" uuid={group.uuid} />
        </>
      )}
      side={(group) => (
        <>
          {mayList('certificates') && <Certificates group={group} />}
          <ThresholdsPanel holder={{ kind: 'groups', uuid: group.uuid }} />
          <Panel title="About">
            <Facts facts={[{ name: 'Email', value: group.email }, identifierFact(group.uuid)]} />
          </Panel>
        </>
      )}
    />
  );
}

function Members({ group }: { readonly group: GroupDto }) {
  const users = useQuery(useUsers());
  return (
    <RelatedList
      title="Members"
      query={filterRows(users, ({ groups }) => groups.some(({ uuid }) => uuid === group.uuid))}
      what="the members"
      linkOf={({ uuid }) => paths.users.one(uuid)}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      empty="No members yet. Edit a user to add them to the group."
    />
  );
}

function Certificates({ group }: { readonly group: GroupDto }) {
  const search = listOf([inGroup(group.name)]);
  return (
    <Panel title="Certificates">
      <QueryView of={useQuery(certificateCountQuery(search))} what="the group's certificates">
        {(count) =>
          count === 0 ? (
            <Text c="dimmed">None yet. An ACME profile can add the certificates that it issues to a group.</Text>
          ) : (
            <Anchor component={Link} to={paths.certificates.list} search={search as never} inherit>
              {count === 1 ? '1 certificate in the inventory' : `${formatCount(count)} certificates in the inventory`}
            </Anchor>
          )
        }
      </QueryView>
    </Panel>
  );
}

function GroupActions({ group: { uuid, name } }: { readonly group: GroupDto }) {
  return (
    <Actions
      actions={[
        editAction(paths.groups.edit(uuid), ['groups', 'update', uuid]),
        removeAction({
          name,
          needs: ['groups', 'delete', uuid],
          remove: () => api.groups.deleteGroup({ params: { uuid } }),
          consequence:
            'Its certificates, keys and users are kept, but no longer belong to it. Users who could see them only through this group lose access to them. This cannot be undone.',
          list: paths.groups.list,
          queryKey: groupQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
