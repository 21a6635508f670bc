// Starting point for a new role: a template and the objects it applies to, or no template.
import { MultiSelect, Radio, Stack } from '@mantine/core';
import type { Resource, RoleTemplateDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { describeResource } from '../../format/resources.ts';
import { resourceObjectsQuery } from '../../queries/roles.ts';
import { FormSection } from '../../ui/form-section.tsx';
import type { ChosenObjects } from './template-permissions.ts';

const SHOWN = 50;

export interface TemplateSectionProps {
  readonly templates: readonly RoleTemplateDto[];
  /** Name of the selected template; empty if none is selected. */
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  readonly objects: ChosenObjects;
  readonly onObjects: (objects: ChosenObjects) => void;
}

export function TemplateSection({ templates, chosen, onChoose, objects, onObjects }: TemplateSectionProps) {
  const template = templates.find(({ name }) => name === chosen);
  return (
    <FormSection title="Permissions" description="Permissions can be changed at any time after the role is created.">
      <Radio.Group label="Start from" value={chosen} onChange={onChoose}>
        <Stack gap="sm" mt="xs">
          <Radio value="" label="Empty role" description="Choose its permissions on the next page." />
          {templates.map(({ name, description }) => (
            <Radio key={name} value={name} label={name} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {template?.choices.map(({ resource }) => (
        <ObjectsField
          key={resource}
          resource={resource}
          value={objects[resource] ?? []}
          onChange={(uuids) => onObjects({ ...objects, [resource]: uuids })}
        />
      ))}
    </FormSection>
  );
}

interface ObjectsFieldProps {
  readonly resource: Resource;
  readonly value: ChosenObjects[string];
  readonly onChange: (objects: ChosenObjects[string]) => void;
}

function ObjectsField({ resource, value, onChange }: ObjectsFieldProps) {
  const { data: choices = [] } = useQuery(resourceObjectsQuery(resource));
  return (
    <MultiSelect
      label={describeResource(resource)}
      description="The role applies only to these objects. You can add more later."
      searchable
      hidePickedOptions
      limit={SHOWN}
      nothingFoundMessage="Nothing found"
      data={choices.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      value={value.map(({ uuid }) => uuid)}
      onChange={(uuids) => onChange(uuids.flatMap((uuid) => choices.find((each) => each.uuid === uuid) ?? []))}
    />
  );
}
