// Selector for certificates whose keys are in a token. It offers those that the platform can use.
import { Select } from '@mantine/core';

export interface CertificateChoiceProps {
  readonly label: string;
  readonly description: string;
  readonly choices: {
    readonly data:
      | readonly { readonly uuid: string; readonly commonName: string; readonly serialNumber?: string | undefined }[]
      | undefined;
    readonly isPending: boolean;
  };
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (uuid: string) => void;
}

export function CertificateChoice({ label, description, choices, value, error, onChange }: CertificateChoiceProps) {
  const { data = [], isPending } = choices;
  const options = data.map(({ uuid, commonName, serialNumber = '' }) => ({
    value: uuid,
    label: `${commonName} (serial number ${serialNumber.slice(0, 12)}${serialNumber.length > 12 ? '…' : ''})`,
  }));
  const isKnown = value === '' || options.some((each) => each.value === value);
  return (
    <Select
      label={label}
      description={description}
      placeholder={isPending ? 'Loading…' : 'Choose one'}
      searchable
      clearable
      nothingFoundMessage="No matching certificate. Create one with a key in a token first."
      data={isKnown ? options : [...options, { value, label: `Current (${value.slice(0, 8)}…)` }]}
      value={value || null}
      error={error}
      onChange={(uuid) => onChange(uuid ?? '')}
    />
  );
}
