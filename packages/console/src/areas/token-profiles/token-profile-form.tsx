// Form for a new or existing token profile: the profile's own fields and the fields defined by its token.
import { Checkbox } from '@mantine/core';
import type { BaseAttributeDto, KeyUsage, TokenProfileDetailDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { UsagesField } from './usages.tsx';

export interface TokenProfileFormProps {
  readonly tokenUuid: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new token profile. */
  readonly profile?: TokenProfileDetailDto;
  /** Token selector, shown in the form for a new token profile. */
  readonly tokenField?: ReactNode;
  /** Shown in place of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function TokenProfileForm(props: TokenProfileFormProps) {
  const { tokenUuid, profile, tokenField, instead } = props;
  const form = useTokenProfileForm(props);
  return (
    <ObjectForm form={form} missing={tokenUuid === undefined ? 'Choose a token first.' : undefined}>
      <FormSection title="Token profile">
        {tokenField}
        <NameField form={form} isNew={!profile} />
        <DescriptionField form={form} />
        <UsagesField
          label="Usages of new keys"
          description="Each key of a pair gets the usages that are possible for it. Existing keys are not changed."
          chosen={form.values.usages}
          onChange={(usages) => form.set('usages', usages)}
        />
        <Checkbox
          label="Enabled"
          description="Keys can be created and used under this token profile."
          {...form.flag('enabled')}
        />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

const USUAL_USAGES: readonly KeyUsage[] = ['sign', 'verify'];

function useTokenProfileForm({ tokenUuid = '', definitions, profile }: TokenProfileFormProps) {
  return useObjectForm({
    what: 'token profile',
    paths: paths.tokenProfiles.of(tokenUuid),
    object: profile,
    start: {
      name: profile?.name ?? '',
      description: profile?.description ?? '',
      enabled: profile?.enabled ?? true,
      usages: profile?.usages ?? USUAL_USAGES,
    },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({ source: tokenUuid, definitions, present: profile?.attributes }),
        useCustomFields('tokenProfiles', profile && (profile.customAttributes ?? [])),
      ),
    create: ({ name, description, enabled, usages }, further) =>
      api.tokenProfiles.createTokenProfile({
        params: { tokenInstanceUuid: tokenUuid },
        body: {
          name: name.trim(),
          description,
          enabled,
          usage: [...usages],
          attributes: further.request(),
          ...further.custom.request(),
        },
      }),
    update: (uuid, { description, enabled, usages }, further) =>
      api.tokenProfiles.editTokenProfile({
        params: { tokenInstanceUuid: tokenUuid, uuid },
        body: {
          description,
          enabled,
          usage: [...usages],
          attributes: further.request(),
          ...further.custom.request(),
        },
      }),
    // Tokens show how many profiles they have, and keys show their profile.
    refresh: [['tokenProfiles'], ['tokens'], ['keys']],
  });
}
