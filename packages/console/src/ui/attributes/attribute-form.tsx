// Fields for attribute definitions, grouped by heading. Their state is in `useAttributeForm`.
import { Stack, Title } from '@mantine/core';
import type { BaseAttributeDto } from '@signetry/contract';
import { Fragment } from 'react';
import { FormSection } from '../form-section.tsx';
import { AttributeField } from './attribute-field.tsx';
import { sectionsOf } from './attribute-values.ts';
import { InfoText } from './info-text.tsx';
import type { AttributeFormModel } from './use-attribute-form.ts';
import { DependsOnOthers } from './depends-on-others.tsx';
import { describeItem } from './attribute-content.ts';

export interface AttributeFormProps {
  readonly form: AttributeFormModel;
  /** Heading for fields whose definitions have none. */
  readonly title: string;
}

export function AttributeForm({ form, title }: AttributeFormProps) {
  return sectionsOf(form.definitions).map((section) => (
    <FormSection key={section.title ?? ''} title={section.title ?? title}>
      {section.definitions.map((definition) => (
        <Entry key={definition.name} definition={definition} form={form} />
      ))}
    </FormSection>
  ));
}

/** The same fields within a panel, whose title replaces the default heading. */
export function AttributeFields({ form }: Pick<AttributeFormProps, 'form'>) {
  return (
    <Stack gap="md">
      {sectionsOf(form.definitions).map((section) => (
        <Fragment key={section.title ?? ''}>
          {section.title !== undefined && <Title order={3}>{section.title}</Title>}
          {section.definitions.map((definition) => (
            <Entry key={definition.name} definition={definition} form={form} />
          ))}
        </Fragment>
      ))}
    </Stack>
  );
}

function Entry({ definition, form }: { readonly definition: BaseAttributeDto; readonly form: AttributeFormModel }) {
  switch (definition.type) {
    case 'info':
      return (
        <InfoText text={definition.content.map((item) => describeItem(definition.contentType, item)).join('\n\n')} />
      );
    case 'group':
      return (
        <DependsOnOthers
          what={definition.description ?? definition.name}
          waiting={form.waitingOf(definition) ?? 'for others'}
        />
      );
    case 'meta':
      return null; // Users do not fill in metadata, which describes results.
    default:
      return <AttributeField definition={definition} form={form} />;
  }
}
