// Who may register an account, and the terms to agree to.
import { Switch, TextInput } from '@mantine/core';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function AccountSection({ form, isNew }: SectionProps) {
  const { values } = form;
  return (
    <FormSection
      title="Account registration"
      description="A client registers an account once, by itself. Changes here do not affect existing accounts."
    >
      <Switch
        label="Require an external account key"
        description="Only clients with a key from you can register. Otherwise, any client that reaches the directory can."
        {...form.flag('externalAccountRequired')}
      />
      <Switch
        label="Require a contact address"
        description="An e-mail address given by the client"
        {...form.flag('requireContact')}
      />
      <Switch label="Require agreement to the terms of service" {...form.flag('requireTermsOfService')} />
      <TextInput label="URL of the terms" placeholder="https://" type="url" {...form.text('termsOfServiceUrl')} />
      <TextInput
        label="Website"
        description="Published in the directory for more information"
        placeholder="https://"
        type="url"
        {...form.text('websiteUrl')}
      />
      {!isNew && (
        <>
          <Switch
            label="Suspend all clients while the terms change"
            description="No client can get or renew a certificate until this is switched off."
            {...form.flag('termsOfServiceChangeDisable')}
          />
          {(values.termsOfServiceChangeDisable || values.termsOfServiceChangeUrl !== '') && (
            <TextInput
              label="URL of the changed terms"
              description="Given to suspended clients"
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
