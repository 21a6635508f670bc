// The choice of a kind, for a new object at a connector.
import { Radio, Stack } from '@mantine/core';
import { keyOf, type OfferedKind } from './kinds.ts';

export interface KindFieldProps {
  readonly kinds: readonly OfferedKind[];
  readonly kind: OfferedKind | undefined;
  readonly onChange: (key: string) => void;
}

export function KindField({ kinds, kind, onChange }: KindFieldProps) {
  return (
    <Radio.Group label="Kind" required value={kind ? keyOf(kind) : null} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {kinds.map((each) => (
          <Radio
            key={keyOf(each)}
            value={keyOf(each)}
            label={each.kind}
            description={`${each.connectorName} (${each.address})`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
