// Selectors for one or multiple users, groups or roles.
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useGroups, useUsers } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import type { NamedType } from './recipient-types.ts';

interface Choices {
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
}

/** Returns the choices that the user can list. */
function useChoices(type: NamedType): Choices {
  const users = useQuery(useUsers());
  const groups = useQuery(useGroups());
  const roles = useQuery(useRoles());
  const { data = [], fetchStatus, isPending } = { user: users, group: groups, role: roles }[type];
  return {
    data: data.map(({ uuid, name }) => ({ value: uuid, label: name })),
    placeholder: isPending && fetchStatus === 'idle' ? `No permission to list ${type}s` : `Choose a ${type}`,
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
      nothingFoundMessage={`No matching ${type}`}
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
  /**
   * Names at the time when the form was opened, so that recipients that the user cannot list remain available as
   * options.
   */
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
      nothingFoundMessage={`No matching ${type}`}
      data={[...others, ...data]}
      value={[...values]}
      error={error}
      onChange={onChange}
    />
  );
}
