// The choice of one user, group or role, and of several.
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useGroups, useUsers } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import type { NamedType } from './recipient-types.ts';

interface Choices {
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
}

/** Those that the user may list. */
function useChoices(type: NamedType): Choices {
  const users = useQuery(useUsers());
  const groups = useQuery(useGroups());
  const roles = useQuery(useRoles());
  const { data = [], fetchStatus, isPending } = { user: users, group: groups, role: roles }[type];
  return {
    data: data.map(({ uuid, name }) => ({ value: uuid, label: name })),
    placeholder: isPending && fetchStatus === 'idle' ? `You may not list ${type}s` : `Choose a ${type}`,
  };
}

export interface RecipientPickerProps {
  readonly type: NamedType;
  readonly value: string | null;
  readonly onChange: (uuid: string | null) => void;
}

export function RecipientPicker({ type, value, onChange }: RecipientPickerProps) {
  const { data, placeholder } = useChoices(type);
  return (
    <Select
      label={labels[type]}
      required
      searchable
      placeholder={placeholder}
      nothingFoundMessage={`No ${type} has this name.`}
      data={[...data]}
      value={value}
      onChange={onChange}
    />
  );
}

const labels: Readonly<Record<NamedType, string>> = { user: 'User', group: 'Group', role: 'Role' };

export interface RecipientsPickerProps {
  readonly type: NamedType;
  readonly values: readonly string[];
  /** What they were called when the form was opened: those stay choices that may not be listed. */
  readonly names: readonly { readonly uuid: string; readonly name: string }[];
  readonly error: string | undefined;
  readonly onChange: (uuids: string[]) => void;
}

export function RecipientsPicker({ type, values, names, error, onChange }: RecipientsPickerProps) {
  const { data, placeholder } = useChoices(type);
  const others = names
    .filter(({ uuid }) => values.includes(uuid) && !data.some(({ value }) => value === uuid))
    .map(({ uuid, name }) => ({ value: uuid, label: name }));
  return (
    <MultiSelect
      label={`${labels[type]}s`}
      required
      searchable
      placeholder={values.length === 0 ? placeholder : undefined}
      nothingFoundMessage={`No ${type} has this name.`}
      data={[...others, ...data]}
      value={[...values]}
      error={error}
      onChange={onChange}
    />
  );
}
