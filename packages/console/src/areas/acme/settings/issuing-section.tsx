// What certificates are issued with, and to whom they belong in the inventory.
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FormSection } from '../../../ui/form-section.tsx';
import { issuingProfilesQuery } from '../../issue/queries.ts';
import { useGroups, useUsers } from './people.ts';
import type { SectionProps } from './section.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** A value that may not be seen, or that is disabled by now, stays one. */
function optionsFor(options: readonly Option[] | undefined, chosen: readonly string[]): Option[] {
  const known = options ?? [];
  const others = chosen.filter((value) => value !== '' && !known.some((each) => each.value === value));
  return [...known, ...others.map((value) => ({ value, label: `The present one (${value.slice(0, 8)}…)` }))];
}

export function IssuingSection({ values, set, errorOf }: SectionProps) {
  const raProfiles = useQuery(issuingProfilesQuery);
  const users = useQuery(useUsers());
  const groups = useQuery(useGroups());
  return (
    <FormSection
      title="Issuing"
      description="The RA profile says which authority issues and what certificates look like. Without one there is no directory."
    >
      <Select
        label="RA profile"
        placeholder={raProfiles.isPending ? 'Loading…' : 'None yet'}
        clearable
        searchable
        data={optionsFor(
          raProfiles.data?.map(({ uuid, name, authorityName }) => ({
            value: uuid,
            label: authorityName === '' ? name : `${name} (${authorityName})`,
          })),
          [values.raProfileUuid],
        )}
        value={values.raProfileUuid || null}
        error={errorOf('raProfileUuid')}
        onChange={(value) => set('raProfileUuid', value ?? '')}
      />
      <Select
        label="Owner of certificates"
        description="Who is responsible for what clients get here"
        placeholder="Nobody"
        clearable
        searchable
        data={optionsFor(
          users.data
            ?.filter(({ systemUser }) => !systemUser)
            .map(({ uuid, username }) => ({ value: uuid, label: username })),
          [values.ownerUuid],
        )}
        value={values.ownerUuid || null}
        error={errorOf('ownerUuid')}
        onChange={(value) => set('ownerUuid', value ?? '')}
      />
      <MultiSelect
        label="Groups of certificates"
        placeholder={values.groupUuids.length === 0 ? 'None' : ''}
        searchable
        clearable
        nothingFoundMessage="There are no groups yet."
        data={optionsFor(
          groups.data?.map(({ uuid, name }) => ({ value: uuid, label: name })),
          values.groupUuids,
        )}
        value={[...values.groupUuids]}
        error={errorOf('groupUuids')}
        onChange={(value) => set('groupUuids', value)}
      />
    </FormSection>
  );
}
