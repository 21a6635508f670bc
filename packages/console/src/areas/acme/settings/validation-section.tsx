// How the platform validates that a client controls the names in its order.
import { Group, Switch, TagsInput, TextInput } from '@mantine/core';
import { DurationField } from '../../../ui/duration-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function ValidationSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection
      title="Domain validation"
      description="Before issuing, the platform connects to each name or looks up its DNS records, by default with the resolver of its system."
    >
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="DNS resolver"
          description="IP address; empty for the system resolver"
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
