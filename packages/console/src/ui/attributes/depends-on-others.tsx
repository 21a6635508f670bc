// Shown in place of fields that depend on the values of others.
import { Text } from '@mantine/core';

export function DependsOnOthers({ what }: { readonly what: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {what}
      </Text>
      <Text size="sm" c="dimmed">
        It depends on another field and cannot be filled in here yet. Stored values are kept.
      </Text>
    </div>
  );
}
