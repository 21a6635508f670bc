// What can be done with several certificates at once. The question says how many and what follows; what was refused is named.
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconClockBolt } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatCount, titleOf } from '../../format/names.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import classes from './list-page.module.css';
import type { ListedCertificate } from './shapes.ts';

export interface BulkActionsProps {
  readonly selected: readonly ListedCertificate[];
  readonly onDone: () => void;
}

export function BulkActions({ selected, onDone }: BulkActionsProps) {
  const [asking, early] = useDisclosure();
  const [revoking, revocation] = useDisclosure();
  const queries = useQueryClient();
  const issued = selected.filter(({ state }) => state === 'issued');
  const others = selected.length - issued.length;
  const finish = async (words: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    notify.done(words);
    onDone();
  };

  async function askEarly(): Promise<void> {
    const certificateUuids = issued.map(({ uuid }) => uuid);
    const { asked, refused } = await api.certificateRenewal.askForEarlyRenewal({ body: { certificateUuids } });
    const rest = refused.map(({ name, message }) => `${name}: ${message}`).join(' ');
    await finish(`${certificates(asked)} will be renewed by their clients within a day. ${rest}`.trim());
  }

  /** One after the other: each is an act of its own, and what was refused does not stop the rest. */
  async function revokeAll(): Promise<void> {
    const refused: string[] = [];
    for (const certificate of issued) {
      try {
        await revoke(certificate);
      } catch (error) {
        refused.push(`${titleOf(certificate)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (refused.length > 0) {
      await queries.invalidateQueries({ queryKey: ['certificates'] });
      const done = issued.length - refused.length;
      throw new Error(`${certificates(done)} revoked; these were refused. ${refused.slice(0, 5).join('. ')}`);
    }
    await finish(`${certificates(issued.length)} revoked.`);
  }

  return (
    <Group className={classes.chosen} role="group" aria-label="Selected certificates">
      <Text size="sm" fw={600}>
        {formatCount(selected.length)} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={issued.length === 0}
        leftSection={<IconClockBolt size={14} />}
        onClick={early.open}
      >
        Renew early
      </Button>
      <Button
        size="xs"
        variant="default"
        c={issued.length === 0 ? undefined : 'var(--bad)'}
        disabled={issued.length === 0}
        leftSection={<IconBan size={14} />}
        onClick={revocation.open}
      >
        Revoke
      </Button>
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
      <Confirm
        opened={asking}
        onClose={early.close}
        title={`Renew ${certificates(issued.length)} early?`}
        verb="Renew early"
        action={askEarly}
      >
        ACME clients that use renewal information (RFC 9773) renew within the next 24 hours, spread over that time. The
        current certificates stay valid. <Names of={issued} /> <LeftAlone count={others} />
      </Confirm>
      <Confirm
        opened={revoking}
        onClose={revocation.close}
        title={`Revoke ${certificates(issued.length)}?`}
        verb="Revoke"
        keep="Keep them"
        grave
        action={revokeAll}
      >
        Anyone who checks their status will reject them from now on. This cannot be undone. <Names of={issued} />{' '}
        <LeftAlone count={others} />
      </Confirm>
    </Group>
  );
}

async function revoke({ uuid: certificateUuid, raProfile }: ListedCertificate): Promise<void> {
  if (raProfile?.authorityInstanceUuid === undefined)
    throw new Error('no authority of this platform issued it, so none can revoke it');
  const params = { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid, certificateUuid };
  await api.clientOperations.revokeCertificate({ params, body: { reason: 'unspecified', attributes: [] } });
}

const certificates = (count: number): string => `${formatCount(count)} ${count === 1 ? 'certificate' : 'certificates'}`;

const NAMED = 5;

function Names({ of }: { readonly of: readonly ListedCertificate[] }) {
  const rest = of.length - NAMED;
  return (
    <Text span fw={600}>
      {of.slice(0, NAMED).map(titleOf).join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}.
    </Text>
  );
}

function LeftAlone({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <>
      {count === 1 ? 'One of the selected is' : `${formatCount(count)} of the selected are`} not in use and stay as they
      are.
    </>
  );
}
