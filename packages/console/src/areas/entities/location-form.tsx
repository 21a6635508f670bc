// Fields of a new or existing location: its own, and those that its entity defines.
import { Checkbox } from '@mantine/core';
import type { BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { entityCallback, type LocationDetail } from '../../queries/entities.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface LocationFormProps {
  /** Absent until an entity is chosen. */
  readonly entityUuid: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new location. */
  readonly location?: LocationDetail;
  /** Entity selector, for a new location. */
  readonly entityField?: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function LocationForm(props: LocationFormProps) {
  const { entityUuid, location, entityField, instead } = props;
  const form = useLocationForm(props);
  return (
    <ObjectForm form={form} missing={entityUuid === undefined ? 'Choose a target first.' : undefined}>
      <FormSection title="Location">
        {entityField}
        <NameField form={form} isNew={!location} />
        <DescriptionField form={form} />
        <Checkbox
          label="Enabled"
          description="Certificates can be issued, installed and renewed in this location."
          {...form.flag('enabled')}
        />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

function useLocationForm({ entityUuid = '', definitions, location }: LocationFormProps) {
  return useObjectForm({
    what: 'location',
    paths: paths.locations.of(entityUuid),
    object: location,
    start: {
      name: location?.name ?? '',
      description: location?.description ?? '',
      enabled: location?.enabled ?? true,
    },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: entityUuid,
          definitions,
          present: location?.attributes,
          callBack: entityCallback(entityUuid),
        }),
        useCustomFields('locations', location && (location.customAttributes ?? [])),
      ),
    create: ({ name, ...values }, further) =>
      api.locations.addLocation({
        params: { entityUuid },
        body: { name: name.trim(), ...values, attributes: further.request(), ...further.custom.request() },
      }),
    update: (locationUuid, { description, enabled }, further) =>
      api.locations.editLocation({
        params: { entityUuid, locationUuid },
        body: { description, enabled, attributes: further.request(), ...further.custom.request() },
      }),
    // The platform reads the location and imports new certificates.
    refresh: [['locations'], ['certificates']],
  });
}
