// Fields of a new or existing token: its name, and the fields that its connector defines.
import type {
  BaseAttributeDto,
  RequestAttributeDto,
  ResponseAttributeDto,
  TokenInstanceDetailDto,
} from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { kindCallback } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields, type CustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface TokenFormProps {
  /** Absent until a kind is selected. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent for a new token. */
  readonly token?: TokenInstanceDetailDto;
  /** Kind selector, shown for a new token. */
  readonly kindField?: ReactNode;
  /** Shown in place of the attributes until they are loaded. */
  readonly instead?: ReactNode;
}

export function TokenForm({ kind, definitions, token, kindField, instead }: TokenFormProps) {
  const form = useObjectForm({
    what: 'token',
    paths: paths.tokens,
    object: token,
    start: { name: token?.name ?? '' },
    useFurther: () =>
      withCustomFields(
        useAttributeForm({
          source: kind ? keyOf(kind) : '',
          definitions,
          present: token?.attributes,
          callBack: kind && kindCallback(kind),
        }),
        useCustomFields('tokens', token && (token.customAttributes ?? [])),
      ),
    create: async ({ name }, further) => {
      if (!kind) throw new Error('No kind of token is selected.');
      return api.tokens.createTokenInstance({ body: bodyOf(kind, { name: name.trim(), further }) });
    },
    update: async (uuid, { name }, further) => {
      if (!kind) throw new Error('The connector of the token was removed.');
      return api.tokens.updateTokenInstance({ params: { uuid }, body: bodyOf(kind, { name, further, token }) });
    },
    refresh: [['tokens'], ['keys']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Token">
        {kindField}
        <NameField form={form} isNew={!token} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
      <CustomSection custom={form.further.custom} />
    </ObjectForm>
  );
}

interface TokenFormData {
  readonly name: string;
  readonly further: { readonly request: () => RequestAttributeDto[]; readonly custom: CustomFields };
  readonly token?: TokenInstanceDetailDto | undefined;
}

/** The API requires custom attributes in every request, so attributes that cannot be edited are sent back unchanged. */
const bodyOf = ({ connectorUuid, kind }: OfferedKind, { name, further, token }: TokenFormData) => ({
  name,
  connectorUuid,
  kind,
  attributes: further.request(),
  customAttributes: further.custom.error ? toRequestAttributes(token?.customAttributes) : [],
  ...further.custom.request(),
});

const toRequestAttributes = (values: readonly ResponseAttributeDto[] = []): RequestAttributeDto[] =>
  values.flatMap(({ uuid, name, contentType, content }) =>
    uuid === undefined || !content ? [] : [{ uuid, name, contentType, content }],
  );
