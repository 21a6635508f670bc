// Name rules of a profile or an external account key.
import { Switch, TagsInput } from '@mantine/core';
import type { NamePolicyValues } from './name-policy-values.ts';

export interface NamePolicyFieldsProps {
  readonly values: NamePolicyValues;
  readonly error?: string | undefined;
  readonly onChange: (values: NamePolicyValues) => void;
}

export function NamePolicyFields({ values, error, onChange }: NamePolicyFieldsProps) {
  const list = (field: Exclude<keyof NamePolicyValues, 'allowWildcards'>, placeholder: string) => ({
    placeholder: values[field].length === 0 ? placeholder : '',
    splitChars: [',', ' '],
    acceptValueOnBlur: true,
    value: [...values[field]],
    onChange: (entries: string[]) => onChange({ ...values, [field]: entries }),
  });
  return (
    <>
      <TagsInput
        label="Allowed DNS suffixes"
        description="The name itself and all names below it. If this list or the allowed IP ranges have entries, everything else is rejected."
        error={error}
        {...list('allowedDnsSuffixes', 'example.com')}
      />
      <TagsInput
        label="Denied DNS suffixes"
        description="Rejected even within an allowed suffix"
        {...list('deniedDnsSuffixes', 'secret.example.com')}
      />
      <TagsInput
        label="Allowed IP ranges"
        description="IP addresses and networks"
        {...list('allowedIpRanges', '10.0.0.0/8')}
      />
      <TagsInput
        label="Denied IP ranges"
        description="Rejected even within an allowed range"
        {...list('deniedIpRanges', '10.0.0.0/24')}
      />
      <Switch
        label="Allow wildcards"
        description="Names such as *.example.com"
        checked={values.allowWildcards}
        onChange={(event) => onChange({ ...values, allowWildcards: event.currentTarget.checked })}
      />
    </>
  );
}
