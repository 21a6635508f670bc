// Selects the names that a client with a certificate can request. For profiles created before this setting existed, the
// choice has not been made yet.
import { Select } from '@mantine/core';

const choices = [
  { value: 'bound', label: 'Only those in the certificate' },
  { value: 'free', label: 'Any allowed by the RA profile' },
] as const;

export interface NamesChoiceProps {
  /** Undefined if not decided yet. */
  readonly value: boolean | undefined;
  readonly error: string | undefined;
  readonly onChange: (binds: boolean) => void;
}

export function NamesChoice({ value, error, onChange }: NamesChoiceProps) {
  const chosen = value === true ? 'bound' : 'free';
  return (
    <Select
      label="Names"
      description="Names that a client authenticating with a certificate can request"
      placeholder="Not bound yet: choose one"
      allowDeselect={false}
      data={[...choices]}
      value={value === undefined ? null : chosen}
      error={error}
      onChange={(choice) => onChange(choice === 'bound')}
    />
  );
}

/** Returns the text that the profile settings show for this choice. */
export function namesText(binds: boolean | undefined): string {
  if (binds === undefined) return 'Not bound. Choose in the settings.';
  return binds ? 'only those in the certificate' : 'any allowed by the RA profile';
}
