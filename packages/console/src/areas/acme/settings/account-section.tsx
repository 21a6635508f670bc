// Requirements for registering an account, and the terms of service.
import { Switch, TextInput } from '@mantine/core';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function AccountSection({ form, isNew }: SectionProps) {
  const { values } = form;
  return (
    <FormSection
      title="Account registration"
      description="Each client registers an account once, automatically. Changes here do not affect existing accounts."
    >
      <Switch
        label="Require an external account key"
        description="Only clients with a key from you can register. Otherwise, any client that can reach the directory can."
        {...form.flag('externalAccountRequired')}
      />
      <Switch
        label="Require a contact address"
        description="Email address provided by the client"
        {...form.flag('requireContact')}
      />
      <Switch label="Require agreement to the terms of service" {...form.flag('requireTermsOfService')} />
      <TextInput label="Terms of service URL" placeholder="https://" type="url" {...form.text('termsOfServiceUrl')} />
      <TextInput
        label="Website"
        description="Published in the directory, for more information"
        placeholder="https://"
        type="url"
        {...form.text('websiteUrl')}
      />
      {!isNew && (
        <>
          <Switch
            label="Suspend all clients while the terms change"
            description="Clients cannot obtain or renew certificates until this is turned off."
            {...form.flag('termsOfServiceChangeDisable')}
          />
          {(values.termsOfServiceChangeDisable || values.termsOfServiceChangeUrl !== '') && (
            <TextInput
              label="New terms of service URL"
              description="Sent to suspended clients"
              placeholder="https://"
              type="url"
              {...form.text('termsOfServiceChangeUrl')}
            />
          )}
        </>
      )}
    </FormSection>
  );
}
