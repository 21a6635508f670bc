// Form for a new or existing custom attribute.
import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import type { AttributeContentType, Resource } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { describeResource } from '../../format/resources.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import { customizableResourcesQuery } from '../../queries/custom-attributes.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { ContentTypeField } from './content-type-field.tsx';
import { contentDefinitions, presentContent } from './definition-content.ts';
import { flagsOf, kindOfEntry, kindsFor, describeKind, type EntryKind } from './entry-kinds.ts';
import type { CustomAttributeDetail } from './shapes.ts';

interface Values {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly group: string;
  readonly contentType: AttributeContentType;
  readonly kind: EntryKind;
  readonly required: boolean;
  readonly visible: boolean;
  readonly resources: readonly Resource[];
}

const newValues: Values = {
  name: '',
  label: '',
  description: '',
  group: '',
  contentType: 'string',
  kind: 'one',
  required: false,
  visible: true,
  resources: [],
};

const valuesOf = (attribute: CustomAttributeDetail): Values => ({
  name: attribute.name,
  label: attribute.label,
  description: attribute.description,
  group: attribute.group ?? '',
  contentType: attribute.contentType,
  kind: kindOfEntry(attribute),
  required: attribute.required,
  visible: attribute.visible ?? true,
  resources: attribute.resources ?? [],
});

type Form = ObjectFormModel<Values, AttributeFormModel>;

export function CustomAttributeForm({ attribute }: { readonly attribute?: CustomAttributeDetail }) {
  const form = useCustomAttributeForm(attribute);
  return (
    <ObjectForm form={form} missing={form.values.label.trim() === '' ? 'Enter a label.' : undefined}>
      <FormSection title="Custom attribute">
        <NameField form={form} isNew={!attribute} hint="Used in the API, for example costCenter." />
        <TextInput label="Label" description="Shown in forms." required {...form.text('label')} />
        <DescriptionField form={form} />
        <ResourcesField form={form} />
      </FormSection>
      <FormSection title="Content" description="The type of its values, and how they are entered.">
        <ContentTypeField
          isNew={!attribute}
          value={form.values.contentType}
          onChange={(contentType) => {
            form.set('contentType', contentType);
            if (!kindsFor(contentType).includes(form.values.kind)) form.set('kind', 'one');
          }}
        />
        <Select
          label="Input"
          required
          allowDeselect={false}
          data={kindsFor(form.values.contentType).map((value) => ({ value, label: describeKind(value) }))}
          value={form.values.kind}
          onChange={(kind) =>
            form.set('kind', kindsFor(form.values.contentType).find((each) => each === kind) ?? 'one')
          }
        />
        <AttributeFields form={form.further} />
      </FormSection>
      <FormSection title="In forms">
        <Checkbox label="Required" description="Objects cannot be saved without it." {...form.flag('required')} />
        <Checkbox
          label="Visible"
          description="Hidden attributes can be set only through the API."
          {...form.flag('visible')}
        />
        <TextInput
          label="Heading"
          description="Fields with the same heading are grouped together."
          {...form.text('group')}
        />
      </FormSection>
    </ObjectForm>
  );
}

function ResourcesField({ form }: { readonly form: Form }) {
  const known = useQuery(customizableResourcesQuery);
  // Existing object types remain choices even if the list could not be fetched.
  const choices = [...new Set([...(known.data ?? []), ...form.values.resources])];
  return (
    <MultiSelect
      label="Object types"
      description="The types of objects that have this attribute."
      placeholder={form.values.resources.length === 0 ? 'Choose' : ''}
      searchable
      hidePickedOptions
      selectFirstOptionOnChange
      nothingFoundMessage="Nothing found"
      error={form.problemOf('resources')}
      data={choices.map((value) => ({ value, label: describeResource(value) }))}
      value={[...form.values.resources]}
      onChange={(values) =>
        form.set(
          'resources',
          values.flatMap((value) => choices.find((each) => each === value) ?? []),
        )
      }
    />
  );
}

const useCustomAttributeForm = (attribute: CustomAttributeDetail | undefined): Form =>
  useObjectForm({
    what: 'custom attribute',
    paths: paths.customAttributes,
    object: attribute,
    start: attribute ? valuesOf(attribute) : newValues,
    useFurther: ({ contentType, kind }) =>
      useAttributeForm({
        // Changing the content type or the input type starts a new form: a default value must not become the first
        // choice in a list, nor should choices become a fixed value.
        source: [contentType, kind].join(' '),
        definitions: contentDefinitions(contentType, kind),
        present: attribute && kind === kindOfEntry(attribute) ? presentContent(attribute) : undefined,
      }),
    create: ({ name, contentType, ...values }, further) =>
      api.customAttributes.createCustomAttribute({
        body: { name: name.trim(), contentType, ...requestFieldsOf(values, further) },
      }),
    update: (uuid, { name: _name, contentType: _type, ...values }, further) =>
      api.customAttributes.editCustomAttribute({ params: { uuid }, body: requestFieldsOf(values, further) }),
    refresh: [['customAttributes']],
  });

function requestFieldsOf(values: Omit<Values, 'name' | 'contentType'>, further: AttributeFormModel) {
  const { label, description, group, kind, required, visible, resources } = values;
  return {
    label: label.trim(),
    description: description.trim(),
    ...(group.trim() === '' ? {} : { group: group.trim() }),
    required,
    visible,
    ...flagsOf(kind),
    content: further.request().flatMap(({ content }) => content),
    resources: [...resources],
  };
}
