// Kind selector for a new object that a connector provides.
import { Radio, Stack } from '@mantine/core';
import { keyOf, type OfferedKind } from './kinds.ts';

export interface KindFieldProps {
  readonly kinds: readonly OfferedKind[];
  readonly kind: OfferedKind | undefined;
  /** Returns a kind's label. If this function is absent, the kind's code is shown. */
  readonly wordsOf?: (kind: string) => string;
  readonly onChange: (key: string) => void;
}

export function KindField({ kinds, kind, wordsOf = (code) => code, onChange }: KindFieldProps) {
  return (
    <Radio.Group label="Kind" required value={kind ? keyOf(kind) : null} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {kinds.map((each) => (
          <Radio
            key={keyOf(each)}
            value={keyOf(each)}
            label={wordsOf(each.kind)}
            description={describeSource(each, wordsOf(each.kind))}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Includes the code, because everything outside the console uses it to identify the kind. */
const describeSource = ({ kind, connectorName, address }: OfferedKind, words: string): string =>
  `${words === kind ? '' : `${kind}, `}${connectorName} (${address})`;
