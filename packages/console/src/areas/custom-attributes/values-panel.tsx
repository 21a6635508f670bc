// Custom attribute values on an object's page. Each value is changed separately from the rest of the object.
import { Stack, Text, Title } from '@mantine/core';
import type { Resource, ResponseAttributeDto } from '@signetry/contract';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import type { Needs } from '../../kit/rights.ts';
import { resourceAttributesQuery } from '../../queries/custom-attributes.ts';
import { AttributeFacts, ItemsText } from '../../ui/attributes/attribute-facts.tsx';
import { isField, sectionsOf, type FieldDefinition } from '../../ui/attributes/attribute-values.ts';
import { Panel } from '../../ui/panel.tsx';
import { clearAction, editValueAction } from './value-actions.tsx';
import classes from './values-panel.module.css';

export interface CustomValuesProps {
  readonly resource: Resource;
  readonly uuid: string;
  readonly values: readonly ResponseAttributeDto[] | undefined;
  /** Key of the queries to refetch after a change. */
  readonly refresh: QueryKey;
  /** Permissions required to change the object, in addition to the permission to update it. */
  readonly needs?: Needs;
}

export function CustomValues({ values = [], ...object }: CustomValuesProps) {
  const { data = [] } = useQuery(resourceAttributesQuery(object.resource));
  const definitions = data.filter(isField).filter(({ properties }) => properties.visible);
  const others = values.filter(({ name }) => !definitions.some((definition) => definition.name === name));
  if (definitions.length === 0 && others.length === 0) return null;
  return (
    <Panel title="Custom attributes">
      <Stack gap="lg">
        {sectionsOf(definitions).map(({ title, definitions: members }) => (
          <div key={title ?? ''}>
            {title !== undefined && (
              <Title order={3} c="dimmed" mb={4} className={classes.title}>
                {title}
              </Title>
            )}
            <dl className={classes.values}>
              {members.filter(isField).map((definition) => (
                <DefinedValue
                  key={definition.uuid}
                  object={object}
                  definition={definition}
                  value={values.find(({ name }) => name === definition.name)}
                />
              ))}
            </dl>
          </div>
        ))}
        {others.length > 0 && <AttributeFacts values={others} />}
      </Stack>
    </Panel>
  );
}

interface DefinedValueProps {
  readonly object: Omit<CustomValuesProps, 'values'>;
  readonly definition: FieldDefinition;
  readonly value: ResponseAttributeDto | undefined;
}

function DefinedValue({ object, definition, value }: DefinedValueProps) {
  const { properties } = definition;
  const hasValue = (value?.content ?? []).length > 0;
  const given = { ...object, definition, value };
  return (
    <div className={classes.value}>
      <dt>{properties.label}</dt>
      <dd>
        {hasValue && value ? (
          <Items value={value} />
        ) : (
          <Text c="dimmed">{properties.required ? 'Required, but not set' : 'None'}</Text>
        )}
      </dd>
      {!(properties.readOnly && hasValue) && isEditable(definition) && (
        <dd className={classes.tools}>
          <ActionButton size="compact-sm" action={editValueAction(given)} />
          {hasValue && !properties.required && <ActionButton size="compact-sm" action={clearAction(given)} />}
        </dd>
      )}
    </div>
  );
}

/**
 * Returns whether the value can be edited. Values of credential attributes can be entered only if the definition lists
 * choices.
 */
const isEditable = ({ contentType, properties }: FieldDefinition): boolean =>
  contentType !== 'credential' || properties.list;

const Items = ({ value: { contentType, content = [] } }: { readonly value: ResponseAttributeDto }) => (
  <ItemsText contentType={contentType} items={content} />
);
