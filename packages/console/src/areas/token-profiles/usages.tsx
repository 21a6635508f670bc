// Labels for key usages, and the field for selecting them.
import { Checkbox, Group } from '@mantine/core';
import type { KeyUsage } from '@signetry/contract';

const usageWords: Readonly<Record<KeyUsage, string>> = {
  sign: 'Sign',
  verify: 'Verify',
  encrypt: 'Encrypt',
  decrypt: 'Decrypt',
  wrap: 'Wrap keys',
  unwrap: 'Unwrap keys',
};

/** Returns text such as `Sign, Verify`. */
export const describeUsages = (usages: readonly KeyUsage[] = []): string =>
  usages.length === 0 ? 'None' : usages.map((usage) => usageWords[usage]).join(', ');

// `Object.keys` returns strings, but these are exactly the keys of the record.
const ALL_USAGES = Object.keys(usageWords) as readonly KeyUsage[];

export interface UsagesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly offered?: readonly KeyUsage[];
  readonly chosen: readonly KeyUsage[];
  readonly onChange: (chosen: readonly KeyUsage[]) => void;
}

export function UsagesField({ label, description, offered = ALL_USAGES, chosen, onChange }: UsagesFieldProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={[...chosen]}
      onChange={(next) => onChange(offered.filter((usage) => next.includes(usage)))}
    >
      <Group gap="lg" mt="xs">
        {offered.map((usage) => (
          <Checkbox key={usage} value={usage} label={usageWords[usage]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
