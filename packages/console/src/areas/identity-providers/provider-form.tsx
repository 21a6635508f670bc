// Form for an identity provider.
import { PasswordInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { Copy } from '../../ui/copy.tsx';
import { DurationField } from '../../ui/duration-field.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { newValues, requestOf, valuesOf, type ProviderValues } from './provider-values.ts';
import type { IdentityProvider } from './shapes.ts';

type Form = ObjectFormModel<ProviderValues>;

export function ProviderForm({ provider }: { readonly provider?: IdentityProvider }) {
  const form = useObjectForm({
    what: 'identity provider',
    paths: { ...paths.identityProviders, list: paths.settings },
    object: provider,
    start: provider ? valuesOf(provider) : newValues,
    create: async (values) => {
      const name = values.name.trim();
      await api.authenticationSettings.updateOAuth2ProviderSettings({
        params: { providerName: name },
        body: requestOf(values),
      });
      return { uuid: name };
    },
    update: (name, values) =>
      api.authenticationSettings.updateOAuth2ProviderSettings({
        params: { providerName: name },
        body: requestOf(values),
      }),
    refresh: [['settings', 'authentication']],
  });
  return (
    <ObjectForm form={form} missing={form.values.issuerUrl.trim() === '' ? 'Enter the issuer URL.' : undefined}>
      <FormSection title="Identity provider">
        <NameField form={form} isNew={!provider} hint="Letters, digits, dots, hyphens and underscores." />
        <TextInput
          label="Issuer URL"
          description="Exactly as in the iss claim of tokens, including any trailing slash."
          placeholder="https://"
          type="url"
          required
          {...form.text('issuerUrl')}
        />
        <TagsInput
          label="Audiences"
          description="The aud claim of a token must contain one of these. If there are none, tokens for other applications of the provider are also accepted."
          placeholder={form.values.audiences.length === 0 ? 'signetry' : ''}
          acceptValueOnBlur
          value={[...form.values.audiences]}
          error={form.problemOf('audiences')}
          onChange={(audiences) => form.set('audiences', audiences)}
        />
        <KeyFields form={form} />
      </FormSection>
      <BrowserSection form={form} isNew={!provider} />
      <FormSection title="Time limits">
        <DurationField
          label="Allowed clock skew"
          seconds={form.values.skew}
          error={form.problemOf('skew')}
          onChange={(skew) => form.set('skew', skew)}
        />
        <DurationField
          label="Session idle timeout"
          seconds={form.values.sessionMaxInactiveInterval}
          error={form.problemOf('sessionMaxInactiveInterval')}
          onChange={(seconds) => form.set('sessionMaxInactiveInterval', seconds)}
        />
      </FormSection>
    </ObjectForm>
  );
}

const KeyFields = ({ form }: { readonly form: Form }) => (
  <>
    <TextInput
      label="JWK set URL"
      description="URL at which the provider publishes its token signing keys (jwks_uri)."
      placeholder="https://"
      type="url"
      {...form.text('jwkSetUrl')}
    />
    <Textarea
      label="JWK set"
      description="A JSON object with the public keys, to use instead of the URL if the platform cannot reach the provider."
      autosize
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...form.text('jwkSet')}
    />
  </>
);

interface BrowserSectionProps {
  readonly form: Form;
  readonly isNew: boolean;
}

const BrowserSection = ({ form, isNew }: BrowserSectionProps) => (
  <FormSection
    title="Browser sign-in"
    description={
      <>
        Requires the client ID, client secret, authorization URL and token URL. Register this redirect URI with the
        provider: <RedirectUri name={form.values.name.trim()} />
      </>
    }
  >
    <TextInput label="Client ID" {...form.text('clientId')} />
    <PasswordInput
      label="Client secret"
      description={isNew ? undefined : 'Leave empty to keep the current secret.'}
      autoComplete="off"
      {...form.text('clientSecret')}
    />
    <TextInput label="Authorization URL" placeholder="https://" type="url" {...form.text('authorizationUrl')} />
    <TextInput label="Token URL" placeholder="https://" type="url" {...form.text('tokenUrl')} />
    <TextInput
      label="Logout URL"
      description="Also ends the session at the provider (end_session_endpoint)."
      placeholder="https://"
      type="url"
      {...form.text('logoutUrl')}
    />
    <TextInput
      label="Post-logout redirect URL"
      description="URL to which the provider redirects users after logout, such as the URL of this console."
      placeholder="https://"
      type="url"
      {...form.text('postLogoutUrl')}
    />
    <TextInput
      label="UserInfo URL"
      description="Optional. Provides claims that are not in the token."
      placeholder="https://"
      type="url"
      {...form.text('userInfoUrl')}
    />
    <TagsInput
      label="Scopes"
      description="openid is always requested."
      placeholder={form.values.scope.length === 0 ? 'profile, email' : ''}
      acceptValueOnBlur
      splitChars={[',', ' ']}
      value={[...form.values.scope]}
      error={form.problemOf('scope')}
      onChange={(scope) => form.set('scope', scope)}
    />
  </FormSection>
);

/** The redirect URI. */
function RedirectUri({ name }: { readonly name: string }) {
  const address = `${location.origin}/login/oauth2/code/${name || '…'}`;
  return (
    <>
      <code>{address}</code> {name !== '' && <Copy text={address} what="the redirect URI" />}
    </>
  );
}
