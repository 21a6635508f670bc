// Confirms actions that affect others or cannot be undone. The question names the object; errors are shown in the
// dialog.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Rejection } from './rejection.tsx';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A question, e.g. `Revoke www.example?` */
  readonly title: string;
  /** Consequences of the action. */
  readonly children: ReactNode;
  /** Label of the confirm button. */
  readonly verb: string;
  /** Label of the cancel button. */
  readonly keep?: string;
  /** Whether the action is destructive or cannot be undone. */
  readonly grave?: boolean;
  /** The dialog closes when this resolves. */
  readonly action: () => Promise<unknown>;
}

export function Confirm(props: ConfirmProps) {
  const { opened, onClose, title, children, verb, keep = 'Cancel', grave = false, action } = props;
  const run = useMutation({ mutationFn: action, onSuccess: onClose });
  const close = (): void => {
    run.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={650}>{title}</Text>}>
      <Stack>
        <Text component="div">{children}</Text>
        <Rejection error={run.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {keep}
          </Button>
          <Button color={grave ? 'red' : undefined} loading={run.isPending} onClick={() => run.mutate()}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
