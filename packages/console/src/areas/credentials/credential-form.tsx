// Form for a new or existing credential: its name, and the fields that its connector defines.
import type { BaseAttributeDto, CredentialDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { kindCallback } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface CredentialFormProps {
  /** Absent until a kind is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new credential. */
  readonly credential?: CredentialDto;
  /** Kind selector, for a new credential. */
  readonly kindField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function CredentialForm({ kind, definitions, credential, kindField, instead }: CredentialFormProps) {
  const form = useObjectForm({
    what: 'credential',
    paths: paths.credentials,
    object: credential,
    start: { name: credential?.name ?? '' },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: credential?.attributes,
          callBack: kind && kindCallback(kind),
        }),
        useCustomFields('credentials', credential && (credential.customAttributes ?? [])),
      ),
    create: async ({ name }, further) => {
      if (!kind) throw new Error('Choose a kind of credential first.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: name.trim(), ...place, attributes: further.request(), ...further.custom.request() };
      return api.credentials.createCredential({ body });
    },
    update: (uuid, _values, further) =>
      api.credentials.editCredential({
        params: { uuid },
        body: { attributes: further.request(), ...further.custom.request() },
      }),
    // A new credential can become an option in the settings of other objects.
    refresh: [['credentials'], ['connectors', 'callbacks'], ['customAttributes', 'of']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Credential">
        {kindField}
        <NameField form={form} isNew={!credential} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Details" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}
