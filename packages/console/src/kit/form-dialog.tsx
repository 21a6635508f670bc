// Dialog with a few fields. Errors are shown above its buttons; closing it discards the input.
import { Button, Group, Modal, Stack, Text, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { RejectionCallout } from '../ui/rejection.tsx';
import type { FurtherFields } from './use-object-form.ts';
import { useSubmission } from './use-submission.ts';

export interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly size?: ModalProps['size'] | undefined;
  readonly onClose: () => void;
  /** Whether the action is destructive. */
  readonly isGrave?: boolean;
  /** Whether all required fields are filled in. */
  readonly isReady?: boolean;
  /** Additional fields that the dialog does not define, such as attributes. */
  readonly further?: Pick<FurtherFields, 'check' | 'refuse'>;
  /** Submits the input. The dialog closes when the promise resolves. */
  readonly submit: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** Render this only while the dialog is open. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, size, onClose, isGrave = false, isReady = true, further, submit, children } = props;
  const { isPending, refusal, send } = useSubmission([], further);
  const checkAndSubmit = async (): Promise<void> => {
    if (further && !further.check()) return;
    const isDone = await send(async () => {
      await submit();
      return true;
    });
    if (isDone) onClose();
  };
  return (
    <FormDialogFrame title={title} size={size} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog can be opened inside a form. React events bubble through portals, so the outer form would be
          // submitted as well.
          event.stopPropagation();
          if (isReady && !isPending) void checkAndSubmit();
        }}
      >
        <Stack>
          {children}
          <RejectionCallout refusal={refusal} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={isGrave ? 'red' : undefined} loading={isPending} disabled={!isReady}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialogFrame>
  );
}

/** The dialog's frame, for use while its fields are still loading. */
export function FormDialogFrame(props: Pick<FormDialogProps, 'title' | 'size' | 'onClose' | 'children'>) {
  const { title, size = 'lg', onClose, children } = props;
  return (
    <Modal opened onClose={onClose} size={size} title={<Text fw={650}>{title}</Text>}>
      {children}
    </Modal>
  );
}
