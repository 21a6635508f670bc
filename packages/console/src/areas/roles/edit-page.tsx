// Edits the name and description of a role. Permissions are edited on a separate page.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { roleQuery } from '../../queries/roles.ts';
import { RoleForm } from './role-form.tsx';

export function EditRolePage() {
  return (
    <EditPage query={useQuery(roleQuery(useUuid()))} what="the role" paths={paths.roles}>
      {(role) => <RoleForm role={role} />}
    </EditPage>
  );
}
