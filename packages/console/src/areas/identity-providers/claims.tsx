// Claims from which the platform reads a provider's users.
import { Fieldset, Stack, TagsInput } from '@mantine/core';
import { defaultProviderClaims, type ProviderClaims } from '@signetry/contract';

type ClaimField = keyof ProviderClaims;

const fields: readonly (readonly [field: ClaimField, label: string])[] = [
  ['username', 'Username'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['roles', 'Roles'],
  ['groups', 'Groups'],
];

const namesOf = (claims: ProviderClaims | undefined, field: ClaimField): readonly string[] =>
  claims?.[field] ?? defaultProviderClaims[field];

export const claimFacts = (claims: ProviderClaims | undefined) =>
  fields.map(([field, label]) => ({ name: `${label} claim`, value: namesOf(claims, field).join(', ') }));

/** Returns the claims to store: an empty field has its default. */
export const enteredClaims = (claims: ProviderClaims | undefined): ProviderClaims =>
  Object.fromEntries(Object.entries(claims ?? {}).filter(([, names]) => names.length > 0));

interface ClaimFieldsProps {
  readonly claims: ProviderClaims | undefined;
  readonly onChange: (claims: ProviderClaims) => void;
}

export const ClaimFields = ({ claims, onChange }: ClaimFieldsProps) => (
  <Fieldset legend="Claims">
    <Stack gap="sm">
      {fields.map(([field, label]) => (
        <TagsInput
          key={field}
          label={`${label} claim`}
          description={descriptions[field]}
          placeholder={defaultProviderClaims[field].join(', ')}
          value={[...namesOf(claims, field)]}
          onChange={(names) => onChange({ ...claims, [field]: names })}
        />
      ))}
    </Stack>
  </Fieldset>
);

const descriptions: Partial<Readonly<Record<ClaimField, string>>> = {
  username: 'The first of these claims that the token contains is used. Empty: the default.',
  roles: 'All of these claims count. A dot separates nested names, e.g. realm_access.roles.',
};
