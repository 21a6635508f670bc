// The button that asks for a certificate, and what is going on once it is pressed.
import { Button, Group, Text } from '@mantine/core';

export interface SubmitRowProps {
  readonly label: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  /** The key is made here first. */
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
          {isMade ? 'Generating the key and asking the authority…' : 'Asking the authority…'}
        </Text>
      )}
    </Group>
  );
}
