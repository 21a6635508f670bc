// One-time secrets of an RA profile, without their secret values.
import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  namesOfEnrollmentSecret,
  type EnrollmentProtocol,
  type EnrollmentSecretDto,
  type EnrollmentSecretState,
} from '@signetry/contract';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { formatDate, formatDateTime, formatRelative } from '../../../format/dates.ts';
import { ActionButton, type Action } from '../../../kit/actions.tsx';
import { FullList, type FullListColumn } from '../../../kit/full-list.tsx';
import { enrollmentSecretsQuery, PROTOCOLS_KEY } from '../../../queries/protocols.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { stateOf } from '../../../ui/state.tsx';
import { protocols } from '../protocol.ts';
import classes from './secret-list.module.css';
import { IssueSecretDialog } from './issue-secret-dialog.tsx';

export interface SecretListProps {
  readonly raProfile: { readonly uuid: string; readonly name: string };
  readonly protocol: EnrollmentProtocol;
  /** Whether the profile accepts one-time secrets. If it does not, the list points this out. */
  readonly isTaken: boolean;
}

export function SecretList({ raProfile, protocol, isTaken }: SecretListProps) {
  const { secret } = protocols[protocol];
  const [isOpen, dialog] = useDisclosure();
  const query = useQuery({
    ...enrollmentSecretsQuery(raProfile.uuid),
    select: (secrets: EnrollmentSecretDto[]) => secrets.filter((each) => each.protocol === protocol),
  });
  const meaning = isTaken
    ? `Each is valid for one request under the RA profile ${raProfile.name}, and is shown only when it is created.`
    : `This profile does not accept them. You can change this in the settings.`;
  const create = (
    <ActionButton
      action={{
        label: `Create ${secret}`,
        icon: IconKey,
        isPrimary: true,
        needs: ['raProfiles', 'update', raProfile.uuid],
        open: dialog.open,
      }}
    />
  );
  return (
    <>
      <FullList
        query={query}
        what={`${secret}s`}
        columns={columnsFor(raProfile.uuid, secret)}
        nameOf={({ reference }) => reference}
        textOf={(each) => `${each.reference} ${namesOfEnrollmentSecret(each) ?? ''} ${each.createdBy}`}
        tools={
          <>
            <Text size="sm" c="dimmed" maw="44rem" flex="1 1 20rem">
              {meaning}
            </Text>
            {create}
          </>
        }
        empty={
          <Empty title={`No ${secret}s yet`} action={create}>
            A client presents one to prove that it is authorized to request a certificate. {meaning}
          </Empty>
        }
      />
      {/* Rendered outside the empty state: the empty state disappears as soon as there is a secret, and would take the dialog with it. */}
      <IssueSecretDialog raProfile={raProfile} protocol={protocol} opened={isOpen} onClose={dialog.close} />
    </>
  );
}

const withdraw = (raProfileUuid: string, secret: string, { uuid, reference }: EnrollmentSecretDto): Action => ({
  label: 'Withdraw',
  name: `Withdraw ${reference}`,
  isGrave: true,
  needs: ['raProfiles', 'update', raProfileUuid],
  run: () => api.enrollmentSecrets.withdrawEnrollmentSecret({ params: { raProfileUuid, secretUuid: uuid } }),
  done: `${reference} is withdrawn.`,
  refresh: PROTOCOLS_KEY,
  ask: {
    title: `Withdraw ${secret} ${reference}?`,
    keep: 'Keep it',
    children: 'It can no longer be used to request a certificate. This cannot be undone; you can create a new one.',
  },
});

const columnsFor = (raProfileUuid: string, secret: string): readonly FullListColumn<EnrollmentSecretDto>[] => [
  {
    key: 'reference',
    title: 'Reference',
    by: ({ reference }) => reference,
    cell: (secret) => (
      <>
        <span className={classes.reference}>{secret.reference}</span>
        <Text size="xs" c="dimmed" className={classes.subject}>
          for {namesOfEnrollmentSecret(secret) ?? 'any name'}
        </Text>
      </>
    ),
  },
  { key: 'state', title: 'State', by: ({ state }) => state, cell: ({ state }) => <SecretState of={state} /> },
  {
    key: 'expires',
    title: 'Valid until',
    minor: true,
    by: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => <span title={formatDateTime(expiresAt)}>{formatRelative(expiresAt)}</span>,
  },
  {
    key: 'used',
    title: 'Used',
    minor: true,
    by: ({ usedAt = '' }) => usedAt,
    cell: ({ usedAt }) =>
      usedAt === undefined ? 'never' : <span title={formatDateTime(usedAt)}>{formatRelative(usedAt)}</span>,
  },
  {
    key: 'made',
    title: 'Created',
    minor: true,
    by: ({ createdAt }) => createdAt,
    cell: ({ createdAt, createdBy }) => `${formatDate(createdAt)} by ${createdBy}`,
  },
  {
    key: 'withdraw',
    title: 'Action',
    align: 'right',
    cell: (each) =>
      each.state === 'usable' ? (
        <ActionButton action={withdraw(raProfileUuid, secret, each)} size="compact-xs" />
      ) : null,
  },
];

/** State of a one-time secret, which determines whether it can be used for a request. */
const SecretState = stateOf<EnrollmentSecretState>({
  usable: ['good', 'Usable'],
  used: ['none', 'Used'],
  expired: ['warn', 'Expired'],
  withdrawn: ['bad', 'Withdrawn'],
});
