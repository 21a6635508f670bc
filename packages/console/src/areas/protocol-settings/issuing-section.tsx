// RA profile, certificate owner and certificate groups.
import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FormSection } from '../../ui/form-section.tsx';
import { issuingProfilesQuery } from '../../queries/ra-profiles.ts';
import { useGroups, useUsers } from '../../queries/people.ts';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';

export interface IssuingValues {
  /** Empty if no RA profile is selected. */
  readonly raProfileUuid: string;
  /** Empty if there is no owner. */
  readonly ownerUuid: string;
  readonly groupUuids: readonly string[];
}

export interface IssuingSectionProps {
  readonly form: Pick<ObjectFormModel<IssuingValues>, 'values' | 'set' | 'problemOf'>;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Returns the options, including the current values even if the user cannot see them or they have been disabled. */
function optionsFor(options: readonly Option[] | undefined, chosen: readonly string[]): Option[] {
  const known = options ?? [];
  const others = chosen.filter((value) => value !== '' && !known.some((each) => each.value === value));
  return [...known, ...others.map((value) => ({ value, label: `Current (${value.slice(0, 8)}…)` }))];
}

export function IssuingSection({ form }: IssuingSectionProps) {
  const { values } = form;
  const raProfiles = useQuery(issuingProfilesQuery);
  const users = useQuery(useUsers());
  const groups = useQuery(useGroups());
  return (
    <FormSection
      title="Issuing"
      description="The RA profile determines the issuing authority and the certificate contents. Without one, clients are not served."
    >
      <Select
        label="RA profile"
        placeholder={raProfiles.isPending ? 'Loading…' : 'None'}
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
        error={form.problemOf('raProfileUuid')}
        onChange={(value) => form.set('raProfileUuid', value ?? '')}
      />
      <Select
        label="Certificate owner"
        description="Responsible for the certificates issued here"
        placeholder="None"
        clearable
        searchable
        data={optionsFor(
          users.data
            ?.filter(({ systemUser }) => !systemUser)
            .map(({ uuid, username }) => ({ value: uuid, label: username })),
          [values.ownerUuid],
        )}
        value={values.ownerUuid || null}
        error={form.problemOf('ownerUuid')}
        onChange={(value) => form.set('ownerUuid', value ?? '')}
      />
      <MultiSelect
        label="Certificate groups"
        placeholder={values.groupUuids.length === 0 ? 'None' : ''}
        searchable
        clearable
        nothingFoundMessage="No groups yet"
        data={optionsFor(
          groups.data?.map(({ uuid, name }) => ({ value: uuid, label: name })),
          values.groupUuids,
        )}
        value={[...values.groupUuids]}
        error={form.problemOf('groupUuids')}
        onChange={(value) => form.set('groupUuids', value)}
      />
    </FormSection>
  );
}
