// RA profiles under which the user can issue certificates, or a hint about what is missing.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { filterRows } from '../../kit/related-list.tsx';
import { useMay } from '../../kit/use-may.ts';
import { issuingProfilesQuery, type IssuingProfile } from '../../queries/ra-profiles.ts';
import { Empty } from '../../ui/outcomes.tsx';

export interface UsableProfilesProps {
  readonly children: (profiles: readonly IssuingProfile[]) => ReactNode;
}

export function UsableProfiles({ children }: UsableProfilesProps) {
  const profiles = useQuery(issuingProfilesQuery);
  const may = useMay();
  // The platform requires these permissions in addition to the permission to issue.
  const isUsable = ({ uuid, authorityUuid }: IssuingProfile): boolean =>
    may([
      ['raProfiles', 'detail', uuid],
      ['authorities', 'detail', authorityUuid],
    ]);
  return (
    <QueryView of={filterRows(profiles, isUsable)} what="the RA profiles" inPanel empty={<NoProfiles />}>
      {children}
    </QueryView>
  );
}

function NoProfiles() {
  return (
    <Empty
      title="No RA profile available"
      action={
        <Button component={Link} to={paths.raProfiles.list}>
          Open RA profiles
        </Button>
      }
    >
      An enabled RA profile is required. It determines which authority signs, and under which conditions.
    </Empty>
  );
}
