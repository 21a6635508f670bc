// SANs of a one-time secret.
import { TagsInput } from '@mantine/core';

export interface AltNames {
  readonly dnsNames: string[];
  readonly ipAddresses: string[];
  readonly emails: string[];
}

interface AltNameFieldsProps {
  readonly names: AltNames;
  readonly onChange: (names: AltNames) => void;
}

export function AltNameFields({ names, onChange }: AltNameFieldsProps) {
  const field = (kind: keyof AltNames, label: string, placeholder: string) => (
    <TagsInput
      label={label}
      placeholder={names[kind].length === 0 ? placeholder : ''}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      value={names[kind]}
      onChange={(entries) => onChange({ ...names, [kind]: entries })}
    />
  );
  return (
    <>
      {field('dnsNames', 'DNS names', 'device-1.example.com')}
      {field('ipAddresses', 'IP addresses', '192.0.2.1')}
      {field('emails', 'Email addresses', 'device-1@example.com')}
    </>
  );
}
