// The ACME profiles that use an RA profile, and cannot issue without it.
import type { AcmeProfileListDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { profileListQuery } from '../../queries/acme.ts';

export function useAcmeUsers(raProfileUuid: string): readonly AcmeProfileListDto[] {
  const mayList = useMayList();
  const { data = [] } = useQuery({ ...profileListQuery, enabled: mayList('acmeProfiles') });
  return data.filter(({ raProfile }) => raProfile?.uuid === raProfileUuid);
}
