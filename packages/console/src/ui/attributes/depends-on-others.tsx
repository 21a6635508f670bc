// Shown in place of fields that depend on the values of others, until they are known.
import { Text } from '@mantine/core';
import type { Waiting } from './use-callbacks.ts';

/** In one sentence. */
export function wordsOfWaiting(waiting: Waiting): string {
  if (waiting === 'loading') return 'Loading…';
  if (waiting === 'for others') return 'It depends on another field, which is empty.';
  return `It could not be loaded: ${waiting.problem}`;
}

export function DependsOnOthers({ what, waiting }: { readonly what: string; readonly waiting: Waiting }) {
  return (
    <div role="status">
      <Text size="sm" fw={500}>
        {what}
      </Text>
      <Text size="sm" c="dimmed">
        {wordsOfWaiting(waiting)}
      </Text>
    </div>
  );
}
