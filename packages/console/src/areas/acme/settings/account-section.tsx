// Who may make an account, and what they must agree to.
import { Switch, TextInput } from '@mantine/core';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function AccountSection({ values, isNew, set, errorOf }: SectionProps) {
  return (
    <FormSection
      title="Who may make an account"
      description="A client makes an account once, by itself. Accounts that exist are not touched by a change here."
    >
      <Switch
        label="Accounts need an external account key"
        description="Only those whom you gave a key are let in. Without it, whoever reaches the directory is."
        checked={values.externalAccountRequired}
        onChange={(event) => set('externalAccountRequired', event.currentTarget.checked)}
      />
      <Switch
        label="Accounts need a contact address"
        description="An e-mail address that the client gives"
        checked={values.requireContact}
        onChange={(event) => set('requireContact', event.currentTarget.checked)}
      />
      <Switch
        label="Clients must agree to terms of service"
        checked={values.requireTermsOfService}
        onChange={(event) => set('requireTermsOfService', event.currentTarget.checked)}
      />
      <TextInput
        label="Address of the terms"
        placeholder="https://"
        type="url"
        value={values.termsOfServiceUrl}
        error={errorOf('termsOfServiceUrl')}
        onChange={(event) => set('termsOfServiceUrl', event.currentTarget.value)}
      />
      <TextInput
        label="Website"
        description="Told to clients, for people who want to know more"
        placeholder="https://"
        type="url"
        value={values.websiteUrl}
        error={errorOf('websiteUrl')}
        onChange={(event) => set('websiteUrl', event.currentTarget.value)}
      />
      {!isNew && (
        <>
          <Switch
            label="Hold every client back: the terms change"
            description="No client gets a certificate or renews until this is lifted."
            checked={values.termsOfServiceChangeDisable}
            onChange={(event) => set('termsOfServiceChangeDisable', event.currentTarget.checked)}
          />
          {(values.termsOfServiceChangeDisable || values.termsOfServiceChangeUrl !== '') && (
            <TextInput
              label="Address of the changed terms"
              description="Told to the clients that are held back"
              placeholder="https://"
              type="url"
              value={values.termsOfServiceChangeUrl}
              error={errorOf('termsOfServiceChangeUrl')}
              onChange={(event) => set('termsOfServiceChangeUrl', event.currentTarget.value)}
            />
          )}
        </>
      )}
    </FormSection>
  );
}
