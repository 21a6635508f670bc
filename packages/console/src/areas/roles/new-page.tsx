// Page for creating a role, either empty or based on a template.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { roleTemplatesQuery } from '../../queries/roles.ts';
import { Page } from '../../ui/page.tsx';
import { RoleForm } from './role-form.tsx';

export function NewRolePage() {
  return (
    <Page
      title="New role"
      description="Start from a template and adjust it, or start with an empty role and select its permissions."
      parent={{ to: paths.roles.list, label: 'Roles' }}
    >
      <QueryView of={useQuery(roleTemplatesQuery)} what="the role templates" inPanel>
        {(templates) => <RoleForm templates={templates} />}
      </QueryView>
    </Page>
  );
}
