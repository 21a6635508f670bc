// The protocols that issue certificates under this RA profile.
import { Group, Stack, Text, Title } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useMayList } from '../../api/session.ts';
import { paths } from '../../kit/paths.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ActionButton } from '../../kit/actions.tsx';
import { useAcmeUsers } from './acme-users.ts';
import { ServeProtocol, type ServeProtocolProps } from './serve-protocol.tsx';
import { servedProtocols, servedQuery, type ServedProtocol } from './served-protocols.ts';

export interface ProtocolsProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function Protocols({ profile, authorityUuid }: ProtocolsProps) {
  return (
    <Panel title="Protocols">
      <Stack gap="lg">
        {servedProtocols.map((protocol) => (
          <ProtocolEntry key={protocol.label} protocol={protocol} profile={profile} authorityUuid={authorityUuid} />
        ))}
        <Text size="sm">
          <TextLink to={paths.enrollments.of(profile.uuid)}>Enrollment requests (CMP, SCEP, EST)</TextLink>
        </Text>
      </Stack>
    </Panel>
  );
}

function ProtocolEntry({ protocol, profile, authorityUuid }: ProtocolsProps & { readonly protocol: ServedProtocol }) {
  const { label, resource, addressLabel } = protocol;
  const mayList = useMayList();
  const { data: served } = useQuery(servedQuery(protocol, { authorityUuid, raProfileUuid: profile.uuid }));
  const given = { protocol, profile, authorityUuid };
  const isServed = served?.isServed === true;
  return (
    <section aria-label={label}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Group gap="sm">
          <Title order={3}>{label}</Title>
          {served && (isServed ? <State tone="good">Served</State> : <State tone="none">Not served</State>)}
        </Group>
        {isServed ? (
          <StopProtocol {...given} />
        ) : (
          // Users without permission to list the profiles do not have any to choose from.
          served && mayList(resource) && <ServeProtocol {...given} />
        )}
      </Group>
      {isServed && (
        <Facts
          facts={[
            {
              name: `${label} profile`,
              value: <TextLink to={protocol.paths.one(served.uuid)}>{served.name}</TextLink>,
            },
            {
              name: addressLabel,
              value: served.url,
              code: true,
              ...(served.url === undefined ? {} : { copy: served.url }),
            },
          ]}
        />
      )}
      {label === 'ACME' && <AcmeUsers raProfileUuid={profile.uuid} isServed={isServed} />}
    </section>
  );
}

function AcmeUsers({ raProfileUuid, isServed }: { readonly raProfileUuid: string; readonly isServed: boolean }) {
  const users = useAcmeUsers(raProfileUuid);
  if (users.length === 0 && isServed) return null;
  if (users.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No{' '}
        <TextLink inSentence to={paths.acme.list}>
          ACME profile
        </TextLink>{' '}
        uses this RA profile.
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {users.length === 1 ? 'Used by the ACME profile' : 'Used by the ACME profiles'}{' '}
      {users.map(({ uuid, name }, index) => (
        <Fragment key={uuid}>
          {index > 0 && ', '}
          <TextLink inSentence to={paths.acme.one(uuid)}>
            {name}
          </TextLink>
        </Fragment>
      ))}
    </Text>
  );
}

/** Stops serving a protocol for an RA profile. This affects clients, so the user has to confirm it. */
function StopProtocol({ protocol, profile: { uuid, name }, authorityUuid }: ServeProtocolProps) {
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
          children: `Clients that use this URL can no longer renew. The ${label} profile continues to serve its own URL; issued certificates stay valid.`,
        },
      }}
    />
  );
}
