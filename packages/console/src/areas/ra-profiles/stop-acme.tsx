// Stops serving ACME for an RA profile. This affects clients, so it is confirmed.
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import type { ServeAcmeProps } from './serve-acme.tsx';

export function StopAcme({ profile: { uuid, name }, authorityUuid }: ServeAcmeProps) {
  return (
    <ActionButton
      size="compact-sm"
      action={{
        label: 'Stop serving ACME',
        isGrave: true,
        needs: ['raProfiles', 'update', uuid],
        run: () => api.raProfileAcme.deactivateAcmeForRaProfile({ params: { authorityUuid, raProfileUuid: uuid } }),
        done: `ACME is no longer served for ${name}.`,
        refresh: ['raProfiles'],
        ask: {
          title: `Stop serving ACME for ${name}?`,
          children:
            'Clients that use its directory can no longer renew. The ACME profile keeps their accounts and continues to serve its own directory; certificates stay valid.',
        },
      }}
    />
  );
}
