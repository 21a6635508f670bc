// A new group, and editing one.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { groupQuery } from '../../queries/people.ts';
import { Page } from '../../ui/page.tsx';
import { GroupForm } from './group-form.tsx';

export function NewGroupPage() {
  return (
    <Page
      title="New group"
      description="Users join it on their own pages, certificates when they are issued or later."
      parent={{ to: paths.groups.list, label: 'Groups' }}
    >
      <GroupForm />
    </Page>
  );
}

export function EditGroupPage() {
  return (
    <EditPage query={useQuery(groupQuery(useUuid()))} what="the group" paths={paths.groups}>
      {(group) => <GroupForm group={group} />}
    </EditPage>
  );
}
