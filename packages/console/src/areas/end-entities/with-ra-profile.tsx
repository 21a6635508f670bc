// Shared by the end entity pages: reads the RA profile from the URL, because the API's end entity operations require
// it.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';

export function WithRaProfile({ children }: { readonly children: (profile: RaProfileDto) => ReactNode }) {
  return (
    <QueryView of={useQuery(raProfileQuery(useUuid()))} what="the RA profile">
      {children}
    </QueryView>
  );
}

export function useUsername(): string {
  const { username } = useParams({ strict: false });
  if (username === undefined) throw new Error('The URL does not identify an end entity.');
  return username;
}
