// Contents that clients are asked to include in their requests, and how soon they should retry.
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
    <FormSection title="Requests" description="CSR contents requested from clients, and the retry time.">
      <Select
        label="Key type"
        clearable
        placeholder="Chosen by the client"
        data={EstKeyType.options.map((value) => ({ value, label: wordsOfKeyType[value] }))}
        value={values.keyType || null}
        onChange={(value) => form.set('keyType', EstKeyType.options.find((each) => each === value) ?? '')}
      />
      <ContentsFields form={form} />
      <Switch
        label="Require channel binding"
        description="Few clients support this (RFC 7030 §3.5)"
        {...form.flag('requireLinking')}
      />
      <DurationField
        label="Retry-After"
        description="Sent while a request is pending"
        seconds={values.retryAfter}
        error={form.problemOf('retryAfter')}
        onChange={(seconds) => form.set('retryAfter', seconds)}
      />
      <Switch
        label="Default profile (no label)"
        description="Served under /.well-known/est. Only one profile can be the default."
        {...form.flag('isDefault')}
      />
    </FormSection>
  );
}

function ContentsFields({ form }: SectionProps) {
  return (
    <>
      <TagsInput
        label="Requested subject"
        description="In order, such as O=Example or CN. Omit the value to let clients supply it."
        {...tagsOf(form, 'subject', [])}
      />
      <TagsInput label="DNS names" description="Requested DNS SANs" {...tagsOf(form, 'dnsNames')} />
      <Switch
        label="Request an IP address SAN"
        description="Clients supply their own address"
        {...form.flag('ipAddress')}
      />
      <TagsInput
        label="Extensions with fixed values"
        description="OID and Base64-encoded DER: 2.5.29.15=AwIFoA==, or critical:2.5.29.15=AwIFoA=="
        {...tagsOf(form, 'extensionValues')}
      />
      <TagsInput
        label="Extensions supplied by clients"
        description="OIDs in dotted-decimal notation"
        {...tagsOf(form, 'extensions')}
      />
      <TagsInput label="Attributes" description="OIDs in dotted-decimal notation" {...tagsOf(form, 'attributes')} />
      <Switch
        label="Include CSR template (RFC 9908)"
        description="Only the template contains the subject values; older clients ignore it"
        {...form.flag('template')}
      />
    </>
  );
}
