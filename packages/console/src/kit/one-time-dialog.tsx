// Dialog that creates a secret and shows it once: first the form, then the secret.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Callout } from '../ui/callout.tsx';

export interface OneTimeDialogProps<Made> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly form: (made: { readonly onCancel: () => void; readonly onMade: (made: Made) => void }) => ReactNode;
  readonly madeTitle: string;
  /** What to copy, e.g. `the token`. */
  readonly what: string;
  readonly shown: (made: Made) => ReactNode;
}

export function OneTimeDialog<Made>({
  opened,
  onClose,
  title,
  form,
  madeTitle,
  what,
  shown,
}: OneTimeDialogProps<Made>) {
  const [made, setMade] = useState<Made>();
  const close = (): void => {
    setMade(undefined);
    onClose();
  };
  const isMade = made !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      // The secret is never shown again, so the dialog can be closed only with its button.
      closeOnClickOutside={!isMade}
      closeOnEscape={!isMade}
      withCloseButton={!isMade}
      title={<Text fw={650}>{isMade ? madeTitle : title}</Text>}
    >
      {isMade ? (
        <Stack>
          <Callout tone="warn" title={`Copy ${what} now`}>
            It is shown only once.
          </Callout>
          {shown(made)}
          <Group justify="flex-end">
            <Button onClick={close}>I have copied it</Button>
          </Group>
        </Stack>
      ) : (
        form({ onCancel: close, onMade: setMade })
      )}
    </Modal>
  );
}
