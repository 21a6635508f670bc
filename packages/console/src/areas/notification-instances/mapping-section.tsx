// Recipient details that the provider kind requires besides name and email address, and the custom attributes that
// store them. Renders nothing if none are required.
import { Select } from '@mantine/core';
import type { AttributeMappingDto, Resource } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { ConnectorKind } from '../../queries/connectors.ts';
import { customAttributeListQuery } from '../../queries/custom-attributes.ts';
import { mappingAttributesQuery } from '../../queries/notification-instances.ts';
import { FormSection } from '../../ui/form-section.tsx';

export interface MappingSectionProps {
  readonly kind: ConnectorKind | undefined;
  readonly mappings: readonly AttributeMappingDto[];
  readonly onChange: (mappings: readonly AttributeMappingDto[]) => void;
}

const RECIPIENTS: readonly Resource[] = ['users', 'groups', 'roles'];

export function MappingSection({ kind, mappings, onChange }: MappingSectionProps) {
  const { data: asked = [] } = useQuery(mappingAttributesQuery(kind));
  const { data: custom = [] } = useQuery({ ...customAttributeListQuery, enabled: asked.length > 0 });
  if (asked.length === 0) return null;
  const mapTo = (uuid: string, name: string, customUuid: string | null): void => {
    const others = mappings.filter(({ mappingAttributeUuid }) => mappingAttributeUuid !== uuid);
    const chosen = custom.find((each) => each.uuid === customUuid);
    const mapped = chosen && {
      mappingAttributeUuid: uuid,
      mappingAttributeName: name,
      customAttributeUuid: chosen.uuid,
      customAttributeLabel: chosen.name,
    };
    onChange(mapped ? [...others, mapped] : others);
  };
  return (
    <FormSection
      title="Recipients"
      description="Recipient details that the provider requires, and the custom attributes that store them."
    >
      {asked.map(({ uuid, name, description, contentType, properties }) => {
        const present = mappings.find(({ mappingAttributeUuid }) => mappingAttributeUuid === uuid);
        const choices = custom
          .filter((each) => each.contentType === contentType)
          .filter((each) => each.resources.some((resource) => RECIPIENTS.includes(resource)))
          .map((each) => ({ value: each.uuid, label: each.name }));
        const isListed = !present || choices.some(({ value }) => value === present.customAttributeUuid);
        return (
          <Select
            key={uuid}
            label={properties.label}
            description={description}
            placeholder="Choose a custom attribute"
            nothingFoundMessage="No custom attribute for users, groups or roles has this type."
            searchable
            clearable
            data={
              isListed
                ? choices
                : [{ value: present.customAttributeUuid, label: present.customAttributeLabel }, ...choices]
            }
            value={present?.customAttributeUuid ?? null}
            onChange={(value) => mapTo(uuid, name, value)}
          />
        );
      })}
    </FormSection>
  );
}
