// Stops serving a protocol for an RA profile. This affects clients, so it is confirmed.
import { ActionButton } from '../../kit/actions.tsx';
import type { ServeProtocolProps } from './serve-protocol.tsx';

export function StopProtocol({ protocol, profile: { uuid, name }, authorityUuid }: ServeProtocolProps) {
  const { label, stop } = protocol;
  return (
    <ActionButton
      size="compact-sm"
      action={{
        label: `Stop serving ${label}`,
        isGrave: true,
        needs: ['raProfiles', 'update', uuid],
        run: () => stop({ authorityUuid, raProfileUuid: uuid }),
        done: `${label} is no longer served for ${name}.`,
        refresh: ['raProfiles'],
        ask: {
          title: `Stop serving ${label} for ${name}?`,
          children: `Clients that use this address can no longer renew. The ${label} profile continues to serve its own address; certificates stay valid.`,
        },
      }}
    />
  );
}
