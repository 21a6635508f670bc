// The fields of a new discovery: its name, and those that its connector defines.
import type { BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { callBackOfKind } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface DiscoveryFormProps {
  /** Absent until one is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  readonly kindField: ReactNode;
  /** Shown in place of the attributes until they are known. */
  readonly instead?: ReactNode;
}

export function DiscoveryForm({ kind, definitions, kindField, instead }: DiscoveryFormProps) {
  const form = useObjectForm({
    what: 'discovery',
    paths: paths.discoveries,
    object: undefined,
    start: { name: '' },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: undefined,
          callBack: kind && callBackOfKind(kind),
        }),
        useCustomFields('discoveries', undefined),
      ),
    create: ({ name }, further) => {
      if (!kind) throw new Error('No kind of discovery is chosen.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: name.trim(), ...place, attributes: further.request(), ...further.custom.request() };
      return api.discoveries.createDiscovery({ body });
    },
    update: () => Promise.reject(new Error('A discovery is not changed.')),
    refresh: [['discoveries']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Discovery">
        {kindField}
        <NameField form={form} isNew />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}
