// The button that requests a certificate, with a progress message next to it.
import { Button, Group, Text } from '@mantine/core';

export interface SubmitRowProps {
  readonly label: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  /** Whether a key is generated here first. */
  readonly isMade: boolean;
}

export function SubmitRow({ label, isReady, isPending, isMade }: SubmitRowProps) {
  return (
    <Group>
      <Button type="submit" size="md" disabled={!isReady} loading={isPending}>
        {label}
      </Button>
      {isPending && (
        <Text c="dimmed" role="status">
          {isMade ? 'Generating the key and requesting the certificate…' : 'Requesting the certificate…'}
        </Text>
      )}
    </Group>
  );
}
