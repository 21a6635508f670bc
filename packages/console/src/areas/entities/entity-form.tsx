// Fields of a new or existing entity: its name, and the attributes that its connector defines.
import type { BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { kindCallback } from '../../queries/connectors.ts';
import type { EntityDetail } from '../../queries/entities.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface EntityFormProps {
  /** Absent until a kind is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new entity. */
  readonly entity?: EntityDetail;
  /** Kind selector, for a new entity. */
  readonly kindField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function EntityForm({ kind, definitions, entity, kindField, instead }: EntityFormProps) {
  const form = useObjectForm({
    what: 'target',
    paths: paths.entities,
    object: entity,
    start: { name: entity?.name ?? '' },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: entity?.attributes,
          callBack: kind && kindCallback(kind),
        }),
        useCustomFields('entities', entity && (entity.customAttributes ?? [])),
      ),
    create: ({ name }, further) => {
      if (!kind) throw new Error('No kind of target is selected.');
      const { connectorUuid, kind: code } = kind;
      const attributes = { attributes: further.request(), ...further.custom.request() };
      return api.entities.createEntityInstance({
        body: { name: name.trim(), connectorUuid, kind: code, ...attributes },
      });
    },
    update: (entityUuid, _values, further) =>
      api.entities.editEntityInstance({
        params: { entityUuid },
        body: { attributes: further.request(), ...further.custom.request() },
      }),
    refresh: [['entities']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Target">
        {kindField}
        <NameField form={form} isNew={!entity} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}
