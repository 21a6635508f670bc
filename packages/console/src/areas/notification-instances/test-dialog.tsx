// Sends a test notification and shows the result.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { NotificationInstanceDto } from '@signetry/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { FormDialogFrame } from '../../kit/form-dialog.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { isComplete, RecipientFields, requestOf, type Recipient } from './recipient.tsx';

export interface TestDialogProps {
  readonly instance: NotificationInstanceDto;
  readonly onClose: () => void;
}

export function TestDialog({ instance: { uuid, name }, onClose }: TestDialogProps) {
  const [recipient, setRecipient] = useState<Recipient>({ type: 'user', uuid: useProfile().uuid });
  const test = useMutation({
    mutationFn: () =>
      api.notificationDeliveries.testNotificationInstance({ params: { uuid }, body: requestOf(recipient) }),
  });
  return (
    <FormDialogFrame title={`Send a test notification through ${name}`} onClose={onClose}>
      <Stack>
        <Text size="sm">Sends an expiry notification for a fictitious certificate, immediately and only once.</Text>
        <RecipientFields
          recipient={recipient}
          onChange={(next) => {
            setRecipient(next);
            test.reset();
          }}
        />
        {test.data &&
          (test.data.delivered ? (
            <Callout tone="good" title="Accepted by the provider" urgent>
              Check that it arrived at the expected destination.
            </Callout>
          ) : (
            <Callout tone="bad" title="Not delivered" urgent>
              {test.data.problem}
            </Callout>
          ))}
        <Rejection error={test.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={test.isPending} disabled={!isComplete(recipient)} onClick={() => test.mutate()}>
            Send
          </Button>
        </Group>
      </Stack>
    </FormDialogFrame>
  );
}
