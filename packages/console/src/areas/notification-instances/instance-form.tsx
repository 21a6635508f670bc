// Fields of a new or existing notification provider: its name, and the attributes that its connector defines.
import type { AttributeMappingDto, BaseAttributeDto, NotificationInstanceDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { kindCallback } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { MappingSection } from './mapping-section.tsx';

export interface NotificationInstanceFormProps {
  /** Absent until a kind is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new provider. */
  readonly instance?: NotificationInstanceDto;
  /** Kind selector, for a new provider. */
  readonly kindField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

interface Values {
  readonly name: string;
  readonly description: string;
  readonly attributeMappings: readonly AttributeMappingDto[];
}

const requestOf = ({ description, attributeMappings }: Values) => ({
  ...(description.trim() !== '' && { description: description.trim() }),
  attributeMappings: [...attributeMappings],
});

export function NotificationInstanceForm(props: NotificationInstanceFormProps) {
  const { kind, definitions, instance, kindField, instead } = props;
  const start: Values = {
    name: instance?.name ?? '',
    description: instance?.description ?? '',
    attributeMappings: instance?.attributeMappings ?? [],
  };
  const form = useObjectForm({
    what: 'notification provider',
    paths: paths.notificationInstances,
    object: instance,
    start,
    useFurther: () =>
      useAttributeForm({
        source: kind ? keyOf(kind) : '',
        definitions,
        present: instance?.attributes,
        callBack: kind && kindCallback(kind),
      }),
    create: async (values, further) => {
      if (!kind) throw new Error('No kind of provider is selected.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: values.name.trim(), ...place, ...requestOf(values), attributes: further.request() };
      return api.notificationInstances.createNotificationInstance({ body });
    },
    update: (uuid, values, further) =>
      api.notificationInstances.editNotificationInstance({
        params: { uuid },
        body: { ...requestOf(values), attributes: further.request() },
      }),
    refresh: [['notificationInstances']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Provider">
        {kindField}
        <NameField form={form} isNew={!instance} />
        <DescriptionField form={form} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <MappingSection
        kind={kind}
        mappings={form.values.attributeMappings}
        onChange={(mappings) => form.set('attributeMappings', mappings)}
      />
    </ObjectForm>
  );
}
