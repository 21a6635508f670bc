// Shows the message that a provider would send for an event, without sending it.
import { Button, Group, Select, Stack } from '@mantine/core';
import { ResourceEvent, type NotificationPreviewDto } from '@signetry/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { FormDialogFrame } from '../../kit/form-dialog.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { describeEvent } from '../notifications/texts.ts';
import { isComplete, RecipientFields, requestOf, type Recipient } from './recipient.tsx';
import type { TestDialogProps } from './test-dialog.tsx';

export function PreviewDialog({ instance: { uuid, name }, onClose }: TestDialogProps) {
  const [event, setEvent] = useState<ResourceEvent>('certificate_expiring');
  const [recipient, setRecipient] = useState<Recipient>({ type: 'user', uuid: useProfile().uuid });
  const preview = useMutation({
    mutationFn: () =>
      api.notificationDeliveries.previewNotification({
        params: { uuid },
        body: { event, ...requestOf(recipient) },
      }),
  });
  return (
    <FormDialogFrame title={`Preview of ${name}`} size="lg" onClose={onClose}>
      <Stack>
        <Select
          label="Event"
          allowDeselect={false}
          data={ResourceEvent.options.map((each) => ({ value: each, label: describeEvent(each) }))}
          value={event}
          onChange={(value) => {
            setEvent(ResourceEvent.options.find((each) => each === value) ?? event);
            preview.reset();
          }}
        />
        <RecipientFields
          recipient={recipient}
          onChange={(next) => {
            setRecipient(next);
            preview.reset();
          }}
        />
        {preview.data && <Preview preview={preview.data} />}
        <Rejection error={preview.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={preview.isPending} disabled={!isComplete(recipient)} onClick={() => preview.mutate()}>
            Show
          </Button>
        </Group>
      </Stack>
    </FormDialogFrame>
  );
}

/** Markup is shown as source: content from a connector is never rendered in the console. */
function Preview({ preview: { subject, text, html, body, headers } }: { readonly preview: NotificationPreviewDto }) {
  return (
    <Stack gap="sm">
      {subject !== undefined && <Facts facts={[{ name: 'Subject', value: subject }]} />}
      {headers && (
        <Code
          place="Headers"
          text={Object.entries(headers)
            .map(([header, value]) => `${header}: ${value}`)
            .join('\n')}
          wrap
        />
      )}
      {text !== undefined && <Code place="Text" text={text} wrap />}
      {body !== undefined && <Code place="Body" text={body} wrap />}
      {html !== undefined && text === undefined && <Code place="HTML" text={html} wrap />}
    </Stack>
  );
}
