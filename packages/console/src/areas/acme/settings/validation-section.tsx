// How the platform finds out that a client controls the names it asks for.
import { Group, Switch, TagsInput, TextInput } from '@mantine/core';
import { DurationField } from '../../../ui/duration-field.tsx';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function ValidationSection({ values, set, errorOf }: SectionProps) {
  return (
    <FormSection
      title="How names are checked"
      description="The platform connects to every name, or looks up a DNS record, before it issues. Without a name server here, it asks that of its machine."
    >
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="Name server"
          description="An IP address, or empty"
          placeholder="192.0.2.53"
          value={values.dnsResolverIp}
          error={errorOf('dnsResolverIp')}
          onChange={(event) => set('dnsResolverIp', event.currentTarget.value)}
        />
        <TextInput
          w="6rem"
          label="Port"
          description="Mostly 53"
          inputMode="numeric"
          value={values.dnsResolverPort}
          error={errorOf('dnsResolverPort')}
          onChange={(event) => set('dnsResolverPort', event.currentTarget.value)}
        />
      </Group>
      <DurationField
        label="A proof counts for further orders during"
        description="0: every order proves its names anew"
        seconds={values.authorizationReuse}
        error={errorOf('authorizationReuse')}
        onChange={(seconds) => set('authorizationReuse', seconds)}
      />
      <TagsInput
        label="Names of this platform in CAA records"
        description="A zone that has CAA records must permit one of them. Without any, CAA is not looked at."
        placeholder={values.caaIdentities.length === 0 ? 'ca.example.com' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...values.caaIdentities]}
        error={errorOf('caaIdentities')}
        onChange={(value) => set('caaIdentities', value)}
      />
      <Switch
        label="Names may lead to the platform’s own machine"
        description="For clients that run beside the platform. Its own listeners are never asked."
        checked={values.allowLoopbackValidation}
        onChange={(event) => set('allowLoopbackValidation', event.currentTarget.checked)}
      />
    </FormSection>
  );
}
