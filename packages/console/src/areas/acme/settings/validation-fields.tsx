// Fields for CAA records and for additional challenge types.
import { Select, Switch, TagsInput } from '@mantine/core';
import type { SectionProps } from './section.ts';

const challenges = [
  {
    type: 'dns-account-01',
    description:
      'Like dns-01, but the TXT record is at an account-specific name, so multiple clients can validate the same name.',
  },
  {
    type: 'dns-persist-01',
    description:
      'Uses a TXT record that remains valid for all later orders. It identifies the authority in the same way as CAA records: by a CAA identity, or by the host of the public URL.',
  },
] as const;

export function ChallengeFields({ form }: Pick<SectionProps, 'form'>) {
  const chosen = form.values.additionalChallenges;
  const problem = form.problemOf('additionalChallenges');
  return challenges.map(({ type, description }) => (
    <Switch
      key={type}
      label={`Offer ${type}`}
      description={description}
      checked={chosen.includes(type)}
      error={chosen.includes(type) && type === 'dns-persist-01' ? problem : undefined}
      onChange={(event) =>
        form.set(
          'additionalChallenges',
          event.currentTarget.checked ? [...chosen, type] : chosen.filter((each) => each !== type),
        )
      }
    />
  ));
}

const caaChoices = [
  { value: 'default', label: 'Check public names' },
  { value: 'identities', label: 'Check for these identities' },
  { value: 'off', label: 'Do not check' },
] as const;

export function CaaFields({ form }: Pick<SectionProps, 'form'>) {
  const { values } = form;
  return (
    <>
      <Select
        label="CAA records"
        description="By default, certificates for public names outside your domain are rejected if the CAA records of the name list only other authorities. This authority is identified by the host of the public URL; without a public URL, CAA records are not checked."
        allowDeselect={false}
        data={[...caaChoices]}
        value={values.caa}
        onChange={(value) => form.set('caa', caaChoices.find((each) => each.value === value)?.value ?? 'default')}
      />
      {values.caa === 'identities' && (
        <TagsInput
          label="CAA identities"
          description="If a name has CAA records, they must permit one of these."
          placeholder={values.caaIdentities.length === 0 ? 'ca.example.com' : ''}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          value={[...values.caaIdentities]}
          error={form.problemOf('caaIdentities')}
          onChange={(value) => form.set('caaIdentities', value)}
        />
      )}
    </>
  );
}
