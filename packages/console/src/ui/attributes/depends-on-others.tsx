// Stands where fields appear once others are filled in.
import { Text } from '@mantine/core';

export function DependsOnOthers({ what }: { readonly what: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {what}
      </Text>
      <Text size="sm" c="dimmed">
        It depends on another choice of this form and cannot be filled in here yet. What is stored stays as it is.
      </Text>
    </div>
  );
}
