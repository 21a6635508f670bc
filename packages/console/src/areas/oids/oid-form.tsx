// Form for a new or existing object identifier.
import { Select, TagsInput, TextInput } from '@mantine/core';
import type { OidCategory } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField, FixedName } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import type { OidEntry } from '../../queries/oids.ts';
import { Callout } from '../../ui/callout.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { categoryChoices, describeUsage } from './texts.ts';

/** Field names match those in the platform's error messages. */
interface Values {
  readonly oid: string;
  readonly name: string;
  readonly description: string;
  readonly category: OidCategory;
  readonly 'additionalProperties.code': string;
  readonly 'additionalProperties.altCodes': readonly string[];
}

const valuesOf = (entry?: OidEntry): Values => ({
  oid: entry?.oid ?? '',
  name: entry?.name ?? '',
  description: entry?.description ?? '',
  category: entry?.category ?? 'rdnAttributeType',
  'additionalProperties.code': entry?.additionalProperties?.code ?? '',
  'additionalProperties.altCodes': entry?.additionalProperties?.altCodes ?? [],
});

type Form = ObjectFormModel<Values>;

export function OidForm({ entry }: { readonly entry?: OidEntry }) {
  const form = useObjectForm({
    what: 'object identifier',
    paths: paths.oids,
    object: entry,
    start: valuesOf(entry),
    create: async (values) => {
      const { oid } = await api.oids.createCustomOidEntry({
        body: { oid: values.oid.trim(), ...requestFieldsOf(values) },
      });
      return { uuid: oid };
    },
    update: (oid, values) => api.oids.editCustomOidEntry({ params: { oid }, body: requestFieldsOf(values) }),
    // Certificates show the names of object identifiers.
    refresh: [['oids'], ['certificates']],
  });
  const { values } = form;
  return (
    <ObjectForm form={form} missing={values.oid.trim() === '' ? 'Enter an identifier.' : undefined}>
      <FormSection title="Object identifier">
        {entry ? (
          <FixedName label="Identifier" name={entry.oid} />
        ) : (
          <TextInput
            label="Identifier"
            description="Dotted-decimal notation, such as 1.3.6.1.4.1.99999.1."
            required
            autoComplete="off"
            spellCheck={false}
            {...form.text('oid')}
          />
        )}
        <TextInput
          label="Name"
          description="Name shown to users."
          required
          autoComplete="off"
          maxLength={255}
          {...form.text('name')}
        />
        <DescriptionField form={form} />
        <CategoryField form={form} />
      </FormSection>
      {values.category === 'rdnAttributeType' && <CodeSection form={form} entry={entry} />}
    </ObjectForm>
  );
}

function CategoryField({ form }: { readonly form: Form }) {
  return (
    <Select
      label="Category"
      description={describeUsage(form.values.category)}
      required
      allowDeselect={false}
      data={categoryChoices}
      value={form.values.category}
      error={form.problemOf('category')}
      onChange={(chosen) =>
        form.set('category', categoryChoices.find(({ value }) => value === chosen)?.value ?? form.values.category)
      }
    />
  );
}

interface CodeSectionProps {
  readonly form: Form;
  readonly entry: OidEntry | undefined;
}

function CodeSection({ form, entry }: CodeSectionProps) {
  const further = form.values['additionalProperties.altCodes'];
  const before = entry?.additionalProperties?.code;
  const isRenamed = before !== undefined && before !== form.values['additionalProperties.code'].trim();
  return (
    <FormSection title="In distinguished names" description="Letters, digits and hyphens; not case-sensitive.">
      <TextInput
        label="Code"
        description="Precedes the value, as in CODE=value."
        required
        autoComplete="off"
        spellCheck={false}
        {...form.text('additionalProperties.code')}
      />
      {isRenamed && (
        <Callout tone="none" title="Stored names will be rewritten">
          Subjects and issuers with {before}= are rewritten with the new code in the background. Filters and saved links
          that search for {before}= will no longer find anything.
        </Callout>
      )}
      <TagsInput
        label="Alternative codes"
        description="Accepted as input, but never displayed."
        placeholder={further.length === 0 ? 'None' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...further]}
        error={form.problemOf('additionalProperties.altCodes')}
        onChange={(value) => form.set('additionalProperties.altCodes', value)}
      />
    </FormSection>
  );
}

/** Only name attributes have codes; codes entered before the category was changed are dropped. */
const requestFieldsOf = ({ name, description, category, ...codes }: Omit<Values, 'oid'>) => ({
  displayName: name.trim(),
  description: description.trim(),
  category,
  ...(category === 'rdnAttributeType' && {
    additionalProperties: {
      code: codes['additionalProperties.code'].trim(),
      altCodes: [...codes['additionalProperties.altCodes']],
    },
  }),
});
