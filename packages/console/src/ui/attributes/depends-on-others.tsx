// Shown in place of fields that depend on other fields until those have values.
import { Text } from '@mantine/core';
import type { Waiting } from './use-callbacks.ts';

/** Describes in one sentence why a field is not available. */
export function describeWaiting(waiting: Waiting): string {
  if (waiting === 'loading') return 'Loading…';
  if (waiting === 'for others') return 'Depends on another field that is still empty.';
  return `Loading failed: ${waiting.problem}`;
}

export function DependsOnOthers({ what, waiting }: { readonly what: string; readonly waiting: Waiting }) {
  return (
    <div role="status">
      <Text size="sm" fw={500}>
        {what}
      </Text>
      <Text size="sm" c="dimmed">
        {describeWaiting(waiting)}
      </Text>
    </div>
  );
}
