// How the platform finds out that a client controls the names it asks for.
import { Group, Switch, TagsInput, TextInput } from '@mantine/core';
import { DurationField } from '../../../ui/duration-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function ValidationSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection
      title="Validation of names"
      description="Before issuing, the platform connects to each name or looks up a DNS record of it. Without a name server here, it uses the one of its machine."
    >
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="Name server"
          description="An IP address; leave empty for the default"
          placeholder="192.0.2.53"
          {...form.text('dnsResolverIp')}
        />
        <TextInput
          w="6rem"
          label="Port"
          description="Usually 53"
          inputMode="numeric"
          {...form.text('dnsResolverPort')}
        />
      </Group>
      <DurationField
        label="Reuse a validation for"
        description="0: names are validated for every order"
        seconds={values.authorizationReuse}
        error={form.problemOf('authorizationReuse')}
        onChange={(seconds) => form.set('authorizationReuse', seconds)}
      />
      <TagsInput
        label="CAA identities"
        description="Where a name has CAA records, they must permit one of these. Without any, CAA is not checked."
        placeholder={values.caaIdentities.length === 0 ? 'ca.example.com' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...values.caaIdentities]}
        error={form.problemOf('caaIdentities')}
        onChange={(value) => form.set('caaIdentities', value)}
      />
      <Switch
        label="Allow loopback addresses"
        description="For clients on the same machine as the platform. The platform never connects to its own listeners."
        {...form.flag('allowLoopbackValidation')}
      />
    </FormSection>
  );
}
