// Dialog for a bulk change: shows the effect, then the progress, then the rejected certificates with reasons. It closes
// if the change completes immediately without rejections.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { CertificateChangeDetail } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { capitalize } from '../../../format/names.ts';
import { ActionButton } from '../../../kit/actions.tsx';
import { paths } from '../../../kit/paths.ts';
import { changeQuery } from '../../../queries/certificate-changes.ts';
import { notify } from '../../../ui/notices.tsx';
import { Rejection } from '../../../ui/rejection.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { Outcome, Rejections, stopAction, ChangeProgress } from './progress.tsx';
import { formatCertificateCount } from './selection.ts';
import { pastParticiples, titleOfChange } from './texts.ts';

export interface ChangeDialogProps {
  /** Confirmation question, e.g. `Delete 12 certificates?` */
  readonly title: string;
  readonly verb: string;
  readonly keep?: string;
  readonly isGrave?: boolean;
  readonly isReady?: boolean;
  readonly begin: () => Promise<CertificateChangeDetail>;
  readonly onClose: () => void;
  /** Called when the change has started and the dialog is closed. */
  readonly onDone: () => void;
  /** Description of the effect, with the fields that determine it. */
  readonly children: ReactNode;
}

/** Rendered only while open. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, onClose, onDone } = props;
  const queries = useQueryClient();
  const [begun, setBegun] = useState<CertificateChangeDetail>();
  const close = (): void => (begun ? onDone() : onClose());
  const run = useMutation({
    mutationFn: props.begin,
    onSuccess: async (change) => {
      queries.setQueryData(changeQuery(change.uuid).queryKey, change);
      void queries.invalidateQueries({ queryKey: ['certificate-changes', 'list'] });
      if (change.finishedAt === undefined || change.refused > 0) return setBegun(change);
      await queries.invalidateQueries({ queryKey: ['certificates'] });
      notify.done(capitalize(`${formatCertificateCount(change.changed)} ${pastParticiples[change.kind]}.`));
      onDone();
    },
  });
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={650}>{begun ? titleOfChange(begun) : title}</Text>}>
      {begun ? (
        <StartedChange change={begun} onClose={close} />
      ) : (
        <Question {...props} isPending={run.isPending} error={run.error} onSubmit={() => run.mutate()} />
      )}
    </Modal>
  );
}

interface QuestionProps extends ChangeDialogProps {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
}

function Question(props: QuestionProps) {
  const {
    verb,
    keep = 'Cancel',
    isGrave = false,
    isReady = true,
    isPending,
    error,
    onClose,
    onSubmit,
    children,
  } = props;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) onSubmit();
      }}
    >
      <Stack>
        {children}
        <Rejection error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep}
          </Button>
          <Button type="submit" color={isGrave ? 'red' : undefined} loading={isPending} disabled={!isReady}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function StartedChange({
  change: begun,
  onClose,
}: {
  readonly change: CertificateChangeDetail;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { data: change = begun } = useQuery(changeQuery(begun.uuid));
  const isDone = change.finishedAt !== undefined;
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: ['certificates'] });
  }, [isDone, queries]);
  return (
    <Stack>
      {isDone ? <Outcome change={change} urgent /> : <ChangeProgress change={change} />}
      <Rejections change={change} />
      <Text size="sm" c="dimmed">
        {isDone
          ? 'The outcome is available for 30 days under '
          : 'You can close this dialog. The change continues and is listed under '}
        <TextLink to={paths.certificates.change(change.uuid)} inSentence>
          Bulk changes
        </TextLink>
        .
      </Text>
      <Group justify="flex-end">
        {change.stoppable && <ActionButton action={stopAction(change)} />}
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
