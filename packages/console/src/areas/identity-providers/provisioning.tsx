// Settings for users and roles that are created from the provider's tokens.
import { MultiSelect, Radio, Stack, Switch } from '@mantine/core';
import type { GroupDto, ProviderProvisioning, RoleDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { useGroups } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import { provisioningQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ClaimFields, claimFacts, enteredClaims } from './claims.tsx';

interface ProviderProps {
  /** Provider name. */
  readonly name: string;
}

export function ProvisioningPanel({ name }: ProviderProps) {
  const query = useQuery(provisioningQuery(name));
  const { data: roles = [] } = useQuery(useRoles());
  const { data: groups = [] } = useQuery(useGroups());
  const present = query.data;
  return (
    <Panel
      title="Users and roles"
      actions={
        present && (
          <ActionButton
            size="xs"
            action={{
              label: 'Change',
              name: 'Change how users and roles are created',
              needs: ['settings', 'update'],
              dialog: ({ opened, onClose }) =>
                opened ? <ProvisioningDialog name={name} present={present} onClose={onClose} /> : null,
            }}
          />
        )
      }
    >
      <QueryView of={query} what="these settings">
        {(provisioning) => <Facts facts={factsOf(provisioning, { roles, groups })} />}
      </QueryView>
    </Panel>
  );
}

interface Assignable {
  readonly roles: readonly RoleDto[];
  readonly groups: readonly GroupDto[];
}

const namesOf = (objects: readonly { readonly uuid: string; readonly name: string }[], uuids: readonly string[] = []) =>
  objects.flatMap(({ uuid, name }) => (uuids.includes(uuid) ? [name] : [])).join(', ') || 'None';

const factsOf = (provisioning: ProviderProvisioning, { roles, groups }: Assignable) => [
  {
    name: 'First sign-in',
    value: provisioning.createUnknownUsers
      ? 'Creates a user without permissions'
      : 'Rejected unless an administrator has linked a user',
  },
  {
    name: 'Unknown roles in the token',
    value: provisioning.createUnknownRoles ? 'Created without permissions' : 'Ignored',
  },
  {
    name: 'Name, email, roles and groups',
    value:
      provisioning.syncPolicy === 'sync-data'
        ? 'Updated from the token at every sign-in'
        : 'Set from the token at the first sign-in only',
  },
  {
    name: 'Access token type',
    value: provisioning.requireAccessTokenType === true ? 'at+jwt only (RFC 9068)' : 'Any except ID tokens',
  },
  {
    name: 'Roles assigned by the token',
    value: namesOf(roles, provisioning.grantedRoleUuids),
  },
  { name: 'Groups assigned by the token', value: namesOf(groups, provisioning.grantedGroupUuids) },
  ...claimFacts(provisioning.claims),
];

interface ProvisioningDialogProps extends ProviderProps {
  readonly present: ProviderProvisioning;
  readonly onClose: () => void;
}

function ProvisioningDialog({ name, present, onClose }: ProvisioningDialogProps) {
  const queries = useQueryClient();
  const { data: roles = [] } = useQuery(useRoles());
  const { data: groups = [] } = useQuery(useGroups());
  const [values, setValues] = useState(present);
  const flag = (field: 'createUnknownUsers' | 'createUnknownRoles' | 'requireAccessTokenType') => ({
    checked: values[field] === true,
    onChange: (event: { readonly currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [field]: event.currentTarget.checked }),
  });
  const submit = async (): Promise<void> => {
    await api.identityProviders.updateProviderProvisioning({
      params: { providerName: name },
      body: { ...values, claims: enteredClaims(values.claims) },
    });
    await queries.invalidateQueries({ queryKey: provisioningQuery(name).queryKey });
  };
  return (
    <FormDialog title="Users and roles" submitLabel="Save" onClose={onClose} submit={submit}>
      <Switch
        label="Create a user at the first sign-in"
        description="Anyone with an account at the provider can then sign in. New users have no permissions until a role is assigned."
        {...flag('createUnknownUsers')}
      />
      <Switch
        label="Create roles that do not exist"
        description="Creates roles named in the roles claim, without permissions, and adds them to the list below."
        {...flag('createUnknownRoles')}
      />
      <Radio.Group
        label="Name, email, roles and groups"
        value={values.syncPolicy}
        onChange={(value) => setValues({ ...values, syncPolicy: value === 'sync-data' ? 'sync-data' : 'create-only' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="create-only" label="Set from the token at the first sign-in only" />
          <Radio
            value="sync-data"
            label="Updated from the token at every sign-in"
            description="Removes roles and groups in the lists below that are not in the token."
          />
        </Stack>
      </Radio.Group>
      <MultiSelect
        label="Roles assigned by the token"
        description="The roles claim can assign and remove only these roles. Administrators of the provider can assign them to anyone."
        data={roles.map((role) => ({ value: role.uuid, label: role.name }))}
        value={values.grantedRoleUuids}
        onChange={(grantedRoleUuids) => setValues({ ...values, grantedRoleUuids })}
        searchable
        clearable
      />
      <MultiSelect
        label="Groups assigned by the token"
        description="The groups claim can add users to and remove them from only these groups."
        data={groups.map((group) => ({ value: group.uuid, label: group.name }))}
        value={values.grantedGroupUuids ?? []}
        onChange={(grantedGroupUuids) => setValues({ ...values, grantedGroupUuids })}
        searchable
        clearable
      />
      <ClaimFields claims={values.claims} onChange={(claims) => setValues({ ...values, claims })} />
      <Switch
        label="Accept only access tokens of type at+jwt"
        description="For providers that conform to RFC 9068. ID tokens and access tokens of other types are then rejected."
        {...flag('requireAccessTokenType')}
      />
    </FormDialog>
  );
}
