// Edits the permissions of a role. Changes take effect when they are saved.
import type { AuthResourceDto, RoleDetailDto, SubjectPermissionsDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api } from '../../../api/client.ts';
import { formatCount } from '../../../format/names.ts';
import { ObjectForm } from '../../../kit/object-form.tsx';
import { paths } from '../../../kit/paths.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { useUuid } from '../../../kit/routes.ts';
import { useSubmission } from '../../../kit/use-submission.ts';
import { resourceCatalogQuery, rolePermissionsQuery, roleQuery } from '../../../queries/roles.ts';
import { notify } from '../../../ui/notices.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { draftOf } from './draft.ts';
import { PermissionEditor } from './permission-editor.tsx';
import { changesBetween, savePlanOf, type SavePlan } from './save-plan.ts';

export function RolePermissionsPage() {
  const uuid = useUuid();
  const catalogue = useQuery(resourceCatalogQuery);
  // Loaded once and not refetched, so that edits are not overwritten when someone else saves in the meantime.
  const permissions = useQuery({ ...rolePermissionsQuery(uuid), gcTime: 0, staleTime: Infinity });
  return (
    <QueryView of={useQuery(roleQuery(uuid))} what="the role">
      {(role) => (
        <Page
          title={`Permissions of ${role.name}`}
          description="Users can perform any action that at least one of their roles allows. A denial on an object overrides all other roles."
          parent={{ to: paths.roles.one(uuid), label: role.name }}
        >
          {role.systemRole ? (
            <Protected name={role.name} />
          ) : (
            <QueryView of={catalogue} what="the resources" inPanel>
              {(resources) => (
                <QueryView of={permissions} what="the permissions" inPanel>
                  {(given) => <Editor role={role} catalogue={resources} given={given} />}
                </QueryView>
              )}
            </QueryView>
          )}
        </Page>
      )}
    </QueryView>
  );
}

const Protected = ({ name }: { readonly name: string }) => (
  <Panel>
    <Empty title={`Cannot change the permissions of ${name}`}>
      This role belongs to the platform, which depends on it. Create your own role instead.
    </Empty>
  </Panel>
);

interface EditorProps {
  readonly role: RoleDetailDto;
  readonly catalogue: readonly AuthResourceDto[];
  readonly given: SubjectPermissionsDto;
}

function Editor({ role, catalogue, given }: EditorProps) {
  const start = useMemo(() => draftOf(given), [given]);
  const [draft, setDraft] = useState(start);
  const { isPending, refusal, send } = useSubmission([]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const to = paths.roles.one(role.uuid);
  const changes = changesBetween(start, draft);
  const submit = () =>
    send(async () => {
      await save(role.uuid, { plan: savePlanOf(start, draft), catalogue });
      // All data depends on permissions, and the current user's permissions may have changed.
      await queries.invalidateQueries();
      return () => {
        notify.done(`The permissions of ${role.name} were saved.`);
        void navigate({ to });
      };
    });
  return (
    <ObjectForm
      form={{
        label: `Permissions of ${role.name}`,
        submitLabel: 'Save',
        cancelTo: to,
        isDirty: changes > 0,
        isPending,
        refusal,
        missing: changes === 0 ? 'No changes yet.' : undefined,
        submit,
      }}
      note={changes === 1 ? '1 unsaved change' : `${formatCount(changes)} unsaved changes`}
    >
      <PermissionEditor catalogue={catalogue} start={start} draft={draft} onChange={setDraft} />
    </ObjectForm>
  );
}

async function save(
  roleUuid: string,
  { plan, catalogue }: { readonly plan: SavePlan; readonly catalogue: readonly AuthResourceDto[] },
): Promise<void> {
  if (plan.whole) await api.roles.saveRolePermissions({ params: { roleUuid }, body: plan.whole });
  for (const { resource, objects } of plan.objects) {
    const resourceUuid = catalogue.find(({ name }) => name === resource)?.uuid ?? '';
    await api.roles.addResourcePermissionObjects({ params: { roleUuid, resourceUuid }, body: [...objects] });
  }
}
