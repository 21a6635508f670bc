// Form for a connector: its URL, and how the platform authenticates to it. It can be saved only after a successful
// test.
import { Select, TextInput } from '@mantine/core';
import type { AuthType, BaseAttributeDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { authDefinitionsQuery } from '../../queries/connectors.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields, withCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { ConnectionTest, useConnectionTest } from './connection-test.tsx';
import type { Connector } from './shapes.ts';
import { authTexts } from './texts.ts';

const authTypes = Object.keys(authTexts) as AuthType[]; // The record has exactly these keys.

const nothing: readonly BaseAttributeDto[] = [];

export function ConnectorForm({ connector }: { readonly connector?: Connector }) {
  const form = useConnectorForm(connector);
  const { values, further } = form;
  const access = accessOf(values, further);
  const test = useConnectionTest({ ...access, ...(connector && { uuid: connector.uuid }) });
  return (
    <ObjectForm form={form} missing={test.isPassed ? undefined : 'Test the connection first.'}>
      <FormSection title="Connection" description="The URL of the connector, and how the platform authenticates to it.">
        <NameField form={form} isNew={!connector} />
        <TextInput
          label="URL"
          description="Must be reachable from the platform."
          placeholder="https://connector.example:8443"
          required
          type="url"
          autoComplete="off"
          spellCheck={false}
          {...form.text('url')}
        />
        <Select
          label="Authentication"
          required
          data={authTypes.map((value) => ({ value, label: authTexts[value] }))}
          value={values.authType}
          onChange={(value) => form.set('authType', authTypes.find((each) => each === value) ?? 'none')}
        />
      </FormSection>
      <QueryView of={further.definitionsQuery} what="the credential fields">
        {() => <AttributeForm form={further} title="Credentials" />}
      </QueryView>
      <CustomSection custom={further.custom} />
      <ConnectionTest test={test} isReady={access.url !== ''} check={further.checkAccess} />
    </ObjectForm>
  );
}

interface ConnectorValues {
  readonly name: string;
  readonly url: string;
  readonly authType: AuthType;
}

const accessOf = ({ url, authType }: ConnectorValues, attributes: Pick<AttributeFormModel, 'request'>) => ({
  url: url.trim(),
  authType,
  authAttributes: attributes.request(),
});

function useConnectorForm(connector: Connector | undefined) {
  const start: ConnectorValues = connector ?? { name: '', url: '', authType: 'none' };
  return useObjectForm({
    what: 'connector',
    paths: paths.connectors,
    object: connector,
    start: { name: start.name, url: start.url, authType: start.authType },
    useFurther: ({ authType }) => {
      const definitionsQuery = useQuery(authDefinitionsQuery(authType));
      const present = connector?.authType === authType ? (connector.authAttributes ?? []) : undefined;
      const definitions = definitionsQuery.data ?? nothing;
      const custom = useCustomFields('connectors', connector && (connector.customAttributes ?? []));
      const credentials = useAttributeForm({ source: authType, definitions, present });
      return { ...withCustomFields(credentials, custom), definitionsQuery, checkAccess: credentials.check };
    },
    create: (values, further) =>
      api.connectors.createConnector({
        body: { ...accessOf(values, further), ...further.custom.request(), name: values.name.trim() },
      }),
    update: (uuid, values, further) =>
      api.connectors.editConnector({
        params: { uuid },
        body: { ...accessOf(values, further), ...further.custom.request() },
      }),
    refresh: [['connectors']],
  });
}
