// Actions for the selected certificates. The confirmation states the number and the consequences; rejections are
// listed.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CertificateRevocationReason } from '@signetry/contract';
import { IconBan, IconClockBolt, IconColumns } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { formatCount, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import type { Needs } from '../../kit/rights.ts';
import { useMay } from '../../kit/use-may.ts';
import { Confirm, type ConfirmProps } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import classes from './list-page.module.css';
import { ArchiveButtons, AssignButton, DeleteButton } from './bulk/change-buttons.tsx';
import { formatCertificateCount, describeMatchCount, type BulkSelection } from './bulk/selection.ts';
import { Names } from './bulk/names.tsx';
import { ReasonField } from './revocation-reason.tsx';
import type { ListedCertificate } from './shapes.ts';
import { MAX_SELECTED, type AllMatching } from './use-selection.ts';

export interface BulkActionsProps {
  readonly selected: readonly ListedCertificate[];
  /** Set if all matching certificates are selected, not just the selected rows. */
  readonly beyond: AllMatching | undefined;
  /** Whether the remaining matching certificates are still being fetched. */
  readonly isCollecting: boolean;
  readonly onDone: () => void;
}

export function BulkActions({ selected, beyond, isCollecting, onDone }: BulkActionsProps) {
  const issued = beyond ? [] : selected.filter(({ state, archived }) => state === 'issued' && !archived);
  const others = selected.length - issued.length;
  const chosen: BulkSelection = { rows: selected, beyond };
  const [reason, setReason] = useState<CertificateRevocationReason>('unspecified');
  const { askEarly, revokeAll } = useBulkOperations(issued, onDone);
  return (
    <Group className={classes.chosen} role="group" aria-label="Selected certificates">
      <Text size="sm" fw={600} role="status">
        {isCollecting
          ? 'Selecting all matching certificates…'
          : beyond
            ? `All matching certificates selected (${describeMatchCount(beyond)})`
            : `${formatCount(selected.length)} selected`}
      </Text>
      <BulkButton
        label="Signal early renewal (ACME ARI)"
        icon={<IconClockBolt size={14} />}
        needs={['certificates', 'renew']}
        count={issued.length}
        ask={{ title: `Signal early renewal for ${formatCertificateCount(issued.length)}?`, action: askEarly }}
      >
        ACME clients that support renewal information (RFC 9773) renew within the next 24 hours, spread over that
        period. Current certificates remain valid. <Names of={{ rows: issued }} /> <SkippedNotice count={others} />
      </BulkButton>
      <BulkButton
        label="Revoke"
        icon={<IconBan size={14} />}
        needs={['certificates', 'revoke']}
        count={issued.length}
        ask={{
          title: `Revoke ${formatCertificateCount(issued.length)}?`,
          keep: keepLabel(issued.length),
          grave: true,
          action: () => revokeAll(reason),
        }}
      >
        <Stack>
          <div>
            Relying parties that check their status will reject them from now on. This cannot be undone.{' '}
            <Names of={{ rows: issued }} /> <SkippedNotice count={others} />
          </div>
          <ReasonField reason={reason} onChange={setReason} withHold={false} />
        </Stack>
      </BulkButton>
      <AssignButton chosen={chosen} onDone={onDone} />
      <ArchiveButtons chosen={chosen} onDone={onDone} />
      <CompareButton selected={beyond ? [] : selected} />
      <DeleteButton chosen={chosen} onDone={onDone} />
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
      {beyond && (
        <Text size="xs" c="dimmed">
          Up to {formatCount(MAX_SELECTED)} certificates can be renewed or revoked at a time; narrow the search.
        </Text>
      )}
    </Group>
  );
}

/** Shown if exactly two certificates are selected. */
function CompareButton({ selected: [one, other, third] }: Pick<BulkActionsProps, 'selected'>) {
  if (!one || !other || third) return null;
  return (
    <Button
      component={Link}
      to={paths.certificates.compare}
      search={{ one: one.uuid, other: other.uuid } as never} // Each page declares its search parameters.
      size="xs"
      variant="default"
      leftSection={<IconColumns size={14} />}
    >
      Compare
    </Button>
  );
}

interface BulkButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly needs: Needs;
  /** Number of affected certificates. */
  readonly count: number;
  readonly ask: Pick<ConfirmProps, 'title' | 'keep' | 'grave' | 'action'>;
  readonly children: ReactNode;
}

function BulkButton({ label, icon, needs, count, ask, children }: BulkButtonProps) {
  const [asking, question] = useDisclosure();
  const may = useMay();
  if (!may(needs)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={ask.grave && count > 0 ? 'var(--bad)' : undefined}
        disabled={count === 0}
        leftSection={icon}
        onClick={question.open}
      >
        {label}
      </Button>
      <Confirm {...ask} opened={asking} onClose={question.close} verb={label}>
        {children}
      </Confirm>
    </>
  );
}

function useBulkOperations(issued: readonly ListedCertificate[], onDone: () => void) {
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['certificates'] });
  const finish = async (words: string): Promise<void> => {
    await refresh();
    notify.done(words);
    onDone();
  };
  return {
    askEarly: async (): Promise<void> => {
      const { asked, refused } = await requestEarlyRenewal(issued.map(({ uuid }) => uuid));
      const rest = refused
        .slice(0, 5)
        .map(({ name, message }) => `${name}: ${message}`)
        .join(' ');
      await finish(
        `Early renewal signaled for ${formatCertificateCount(asked)}; clients renew within a day. ${rest}`.trim(),
      );
    },
    /** Revokes one certificate at a time; a rejection does not stop the rest. */
    revokeAll: async (reason: CertificateRevocationReason): Promise<void> => {
      const refused = await revokeEach(issued, reason);
      if (refused.length === 0) return finish(`${formatCertificateCount(issued.length)} revoked.`);
      await refresh();
      const done = formatCertificateCount(issued.length - refused.length);
      throw new Error(`${done} revoked; the others were rejected. ${refused.slice(0, 5).join('. ')}`);
    },
  };
}

/** Maximum number of certificates in one request. */
const MAX_EARLY_RENEWALS = 1_000;

async function requestEarlyRenewal(uuids: readonly string[]) {
  const answers = [];
  for (let from = 0; from < uuids.length; from += MAX_EARLY_RENEWALS) {
    const certificateUuids = uuids.slice(from, from + MAX_EARLY_RENEWALS);
    answers.push(await api.certificateRenewal.requestEarlyRenewal({ body: { certificateUuids } }));
  }
  return {
    asked: answers.reduce((sum, { asked }) => sum + asked, 0),
    refused: answers.flatMap(({ refused }) => refused),
  };
}

/** Returns the rejections along with the names of the certificates. */
async function revokeEach(
  issued: readonly ListedCertificate[],
  reason: CertificateRevocationReason,
): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const certificate of issued) {
    try {
      await revoke(certificate, reason);
    } catch (error) {
      refused.push(`${titleOf(certificate)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return refused;
}

async function revoke(
  { uuid: certificateUuid, raProfile }: ListedCertificate,
  reason: CertificateRevocationReason,
): Promise<void> {
  if (raProfile?.authorityInstanceUuid === undefined)
    throw new Error('not issued by an authority of this platform, so it cannot be revoked here');
  const params = { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid, certificateUuid };
  await api.clientOperations.revokeCertificate({ params, body: { reason, attributes: [] } });
}

const keepLabel = (count: number): string => (count === 1 ? 'Keep it' : 'Keep them');

function SkippedNotice({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <>
      {count === 1
        ? '1 selected certificate is skipped because it is archived or not in the issued state.'
        : `${formatCount(count)} selected certificates are skipped because they are archived or not in the issued state.`}
    </>
  );
}
