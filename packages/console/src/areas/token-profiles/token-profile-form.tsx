// The fields of a token profile, new or existing: its own, and those that its token defines.
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
  /** Absent for a new one. */
  readonly profile?: TokenProfileDetailDto;
  /** The choice of the token, for a new one. */
  readonly tokenField?: ReactNode;
  /** Shown in place of the attributes until they are known. */
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
          label="What new keys may be used for"
          description="Each half of a pair gets what is possible for it. Keys that exist stay as they are."
          chosen={form.values.usages}
          onChange={(usages) => form.set('usages', usages)}
        />
        <Checkbox
          label="Enabled"
          description="Keys can be created under it, and its keys can be used."
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
    // Tokens say how many profiles they have, and keys name theirs.
    refresh: [['tokenProfiles'], ['tokens'], ['keys']],
  });
}
