// Which names a client with a certificate may get. Profiles that are older than this setting wait for a decision.
import { Select } from '@mantine/core';

const choices = [
  { value: 'bound', label: 'Only those of the certificate' },
  { value: 'free', label: 'Any that the RA profile allows' },
] as const;

export interface NamesChoiceProps {
  /** Undefined: nobody has decided. */
  readonly value: boolean | undefined;
  readonly error: string | undefined;
  readonly onChange: (binds: boolean) => void;
}

export function NamesChoice({ value, error, onChange }: NamesChoiceProps) {
  const chosen = value === true ? 'bound' : 'free';
  return (
    <Select
      label="Names"
      description="That a client which authenticates with a certificate can get a certificate for"
      placeholder="Names not bound: choose one"
      allowDeselect={false}
      data={[...choices]}
      value={value === undefined ? null : chosen}
      error={error}
      onChange={(choice) => onChange(choice === 'bound')}
    />
  );
}

/** For the settings of a profile. */
export function namesText(binds: boolean | undefined): string {
  if (binds === undefined) return 'Names not bound. Decide in the settings.';
  return binds ? 'only those of its certificate' : 'any that the RA profile allows';
}
