// Fields of a new or existing authority: its name, and the attributes that its connector defines.
import type { AuthorityInstanceDto, BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { kindCallback } from '../../queries/connectors.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';
import type { AuthorityKind } from './kinds.ts';

export interface AuthorityFormProps {
  /** Absent until a kind is chosen. */
  readonly kind: AuthorityKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new authority. */
  readonly authority?: AuthorityInstanceDto;
  /** Kind selector, for a new authority. */
  readonly kindField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function AuthorityForm({ kind, definitions, authority, kindField, instead }: AuthorityFormProps) {
  const form = useObjectForm({
    what: 'authority',
    paths: paths.authorities,
    object: authority,
    start: { name: authority?.name ?? '' },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: authority?.attributes,
          callBack: kind && kindCallback(kind),
        }),
        useCustomFields('authorities', authority && (authority.customAttributes ?? [])),
      ),
    create: async ({ name }, further) => {
      if (!kind) throw new Error('Choose a kind of authority first.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: name.trim(), ...place, attributes: further.request(), ...further.custom.request() };
      return api.authorities.createAuthorityInstance({ body });
    },
    update: (uuid, _values, further) =>
      api.authorities.editAuthorityInstance({
        params: { uuid },
        body: { attributes: further.request(), ...further.custom.request() },
      }),
    // A new authority can become an option in another authority's settings, for example as its issuer.
    refresh: [['authorities'], ['connectors', 'definitions']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Authority">
        {kindField}
        <NameField form={form} isNew={!authority} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}
