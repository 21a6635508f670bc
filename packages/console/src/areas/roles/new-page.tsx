// A new role, from nothing or from a ready-made one.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { roleTemplatesQuery } from '../../queries/roles.ts';
import { Page } from '../../ui/page.tsx';
import { RoleForm } from './role-form.tsx';

export function NewRolePage() {
  return (
    <Page
      title="New role"
      description="Start from a ready-made role and change it, or from nothing and say what is allowed."
      parent={{ to: paths.roles.list, label: 'Roles' }}
    >
      <Reading of={useQuery(roleTemplatesQuery)} what="the ready-made roles" inPanel>
        {(templates) => <RoleForm templates={templates} />}
      </Reading>
    </Page>
  );
}
