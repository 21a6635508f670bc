// Values of custom attributes on the page of an object. Each is changed by itself, without the rest of the object.
import { Text } from '@mantine/core';
import type { Resource, ResponseAttributeDto } from '@signetry/contract';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import type { Needs } from '../../kit/rights.ts';
import { resourceAttributesQuery } from '../../queries/custom-attributes.ts';
import { ItemsInWords } from '../../ui/attributes/attribute-facts.tsx';
import { isField, type FieldDefinition } from '../../ui/attributes/attribute-values.ts';
import { Panel } from '../../ui/panel.tsx';
import { clearAction, editValueAction } from './value-actions.tsx';
import classes from './values-panel.module.css';

export interface CustomValuesProps {
  readonly resource: Resource;
  readonly uuid: string;
  readonly values: readonly ResponseAttributeDto[] | undefined;
  /** Of the queries that are fetched again after a change. */
  readonly refresh: QueryKey;
  /** What changing the object requires besides the right to update it. */
  readonly needs?: Needs;
}

export function CustomValues({ values = [], ...object }: CustomValuesProps) {
  const { data = [] } = useQuery(resourceAttributesQuery(object.resource));
  const definitions = data.filter(isField).filter(({ properties }) => properties.visible);
  const others = values.filter(({ name }) => !definitions.some((definition) => definition.name === name));
  if (definitions.length === 0 && others.length === 0) return null;
  return (
    <Panel title="Custom attributes">
      <dl className={classes.values}>
        {definitions.map((definition) => (
          <DefinedValue
            key={definition.uuid}
            object={object}
            definition={definition}
            value={values.find(({ name }) => name === definition.name)}
          />
        ))}
        {others.map((value) => (
          <div key={value.name} className={classes.value}>
            <dt>{value.label}</dt>
            <dd>
              <Items value={value} />
            </dd>
          </div>
        ))}
      </dl>
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
          <Text c="dimmed">{properties.required ? 'None, although it is required' : 'None'}</Text>
        )}
      </dd>
      {!(properties.readOnly && hasValue) && definition.contentType !== 'credential' && (
        <dd className={classes.tools}>
          <ActionButton size="compact-sm" action={editValueAction(given)} />
          {hasValue && !properties.required && <ActionButton size="compact-sm" action={clearAction(given)} />}
        </dd>
      )}
    </div>
  );
}

const Items = ({ value: { contentType, content = [] } }: { readonly value: ResponseAttributeDto }) => (
  <ItemsInWords contentType={contentType} items={content} />
);
