// Filters for a list of enrollment requests.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../../api/session.ts';
import type { SearchChange } from '../../../kit/use-list-search.ts';
import {
  ENROLLMENT_STATES,
  LISTED_PROTOCOLS,
  readEnrollmentSearch,
  type EnrollmentSearch,
} from '../../../queries/enrollment-search.ts';
import { raProfileListQuery } from '../../../queries/ra-profiles.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { listedProtocols } from './listed-protocols.ts';
import classes from './enrollments.module.css';
import { enrollmentStates } from './texts.ts';

export interface FiltersProps {
  readonly search: EnrollmentSearch;
  /**
   * True if the list contains the requests for a single profile, so that the protocol and the RA profile are already
   * known.
   */
  readonly ofProfile: boolean;
  readonly onChange: (change: SearchChange<EnrollmentSearch>) => void;
}

type Field = 'protocol' | 'raProfile' | 'state';
interface Option {
  readonly value: string;
  readonly label: string;
}

const states = ENROLLMENT_STATES.map((value) => ({ value, label: enrollmentStates[value][1] }));
const choices = LISTED_PROTOCOLS.map((value) => ({ value, label: listedProtocols[value].label }));

export function Filters({ search, ofProfile, onChange }: FiltersProps) {
  const mayList = useMayList();
  const { data = [] } = useQuery({ ...raProfileListQuery, enabled: !ofProfile && mayList('raProfiles') });
  const raProfiles = data.map(({ uuid, name }) => ({ value: uuid, label: name }));
  const choice = (label: string, field: Field, options: readonly Option[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      className={classes.choice}
      clearable
      searchable
      nothingFoundMessage="Nothing found"
      data={[...options]}
      value={search[field] ?? null}
      onChange={(value) => onChange({ [field]: readEnrollmentSearch({ [field]: value })[field] })}
    />
  );
  return (
    <>
      <SearchField
        label="Search requests"
        placeholder="Subject, transaction or requester"
        text={search.text ?? ''}
        onSearch={(text) => onChange({ text: text || undefined })}
      />
      {choice('Any state', 'state', states)}
      {!ofProfile && choice('Any protocol', 'protocol', choices)}
      {!ofProfile && choice('Any RA profile', 'raProfile', raProfiles)}
    </>
  );
}
