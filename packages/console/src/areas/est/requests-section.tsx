// What clients are told to send, and when to ask again.
import { Select, Switch, TagsInput } from '@mantine/core';
import { EstKeyType } from '@signetry/contract';
import { DurationField } from '../../ui/duration-field.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import type { ObjectFormModel } from '../../kit/use-object-form.ts';
import type { FurtherOfProfile } from '../protocols/settings/use-profile-form.ts';
import type { EstValues } from './est-values.ts';
import { tagsOf } from './tags-of.ts';
import { wordsOfKeyType } from './words.ts';

interface SectionProps {
  readonly form: ObjectFormModel<EstValues, FurtherOfProfile>;
}

export function RequestsSection({ form }: SectionProps) {
  const { values } = form;
  return (
    <FormSection title="Requests" description="What clients are told to send, and when to ask again.">
      <Select
        label="Kind of key"
        clearable
        placeholder="Clients choose"
        data={EstKeyType.options.map((value) => ({ value, label: wordsOfKeyType[value] }))}
        value={values.keyType || null}
        onChange={(value) => form.set('keyType', EstKeyType.options.find((each) => each === value) ?? '')}
      />
      <ContentsFields form={form} />
      <Switch
        label="Require requests to be linked to their connection"
        description="Few clients do this (RFC 7030 §3.5)"
        {...form.flag('requireLinking')}
      />
      <DurationField
        label="Clients ask again after"
        description="While a request waits"
        seconds={values.retryAfter}
        error={form.problemOf('retryAfter')}
        onChange={(seconds) => form.set('retryAfter', seconds)}
      />
      <Switch
        label="Serve it without a label, too"
        description="Below /.well-known/est; one profile at most"
        {...form.flag('isDefault')}
      />
    </FormSection>
  );
}

function ContentsFields({ form }: SectionProps) {
  return (
    <>
      <TagsInput
        label="Subject to ask for"
        description="In order, such as O=Example or CN; without a value clients fill it in"
        {...tagsOf(form, 'subject', [])}
      />
      <TagsInput label="DNS names" description="Alternative names to ask for" {...tagsOf(form, 'dnsNames')} />
      <Switch
        label="An IP address among the alternative names"
        description="Clients fill in their own"
        {...form.flag('ipAddress')}
      />
      <TagsInput
        label="Extensions with values"
        description="Identifier and DER in Base64: 2.5.29.15=AwIFoA==, or critical:2.5.29.15=AwIFoA=="
        {...tagsOf(form, 'extensionValues')}
      />
      <TagsInput
        label="Extensions that clients fill in"
        description="Object identifiers in dotted form"
        {...tagsOf(form, 'extensions')}
      />
      <TagsInput label="Attributes" description="Object identifiers in dotted form" {...tagsOf(form, 'attributes')} />
      <Switch
        label="Tell it as a template, too"
        description="Only a template has the values of the subject (RFC 9908); older clients ignore it"
        {...form.flag('template')}
      />
    </>
  );
}
