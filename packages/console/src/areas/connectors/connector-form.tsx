// Where a connector is and how the platform signs in there. It is added once it has answered.
import { Button, Group, Select, TextInput } from '@mantine/core';
import type { AuthType, BaseAttributeDto } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Callout } from '../../ui/callout.tsx';
import { Form } from '../../ui/form.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { notify } from '../../ui/notices.tsx';
import { Failure, Loading, wordsOf } from '../../ui/outcomes.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { authDefinitionsQuery } from './queries.ts';
import { authWords, functionGroupWords } from './words.ts';
import type { Connection, Connector } from './shapes.ts';

/** The platform refuses tokens; there is nothing to fill in for them. */
const authTypes = (Object.keys(authWords) as AuthType[]).filter((type) => type !== 'jwt'); // a record of exactly those

const nothing: readonly BaseAttributeDto[] = [];

export function ConnectorForm({ connector }: { readonly connector?: Connector }) {
  const start = { name: connector?.name ?? '', url: connector?.url ?? '', authType: connector?.authType ?? 'none' };
  const [own, setOwn] = useState(start);
  const definitions = useQuery(authDefinitionsQuery(own.authType));
  const attributes = useAttributeForm({
    source: own.authType,
    definitions: definitions.data ?? nothing,
    present: connector && connector.authType === own.authType ? (connector.authAttributes ?? []) : undefined,
  });
  const submission = useSubmission(['name', 'url'], attributes);
  const queries = useQueryClient();
  const navigate = useNavigate();

  const access = { url: own.url.trim(), authType: own.authType, authAttributes: attributes.request() };
  const test = useMutation({
    mutationFn: (wanted: typeof access) =>
      api.connectors.connectConnector({ body: { ...wanted, ...(connector ? { uuid: connector.uuid } : {}) } }),
  });
  /** An answer counts for what was asked, not for what was typed since. */
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(access);
  const isTested = test.isSuccess && isCurrent;

  const save = async (): Promise<string> => {
    if (connector) {
      await api.connectors.editConnector({ params: { uuid: connector.uuid }, body: access });
      return connector.uuid;
    }
    const { uuid } = await api.connectors.createConnector({ body: { ...access, name: own.name.trim() } });
    return uuid;
  };
  const submit = async (): Promise<(() => void) | undefined> => {
    if (!attributes.check()) return undefined;
    const uuid = await submission.send(save);
    if (uuid === undefined) return undefined;
    await queries.invalidateQueries({ queryKey: ['connectors'] });
    return () => {
      notify.done(connector ? `${own.name} was saved.` : `${own.name} was added.`);
      void navigate({ to: paths.connector(uuid) });
    };
  };
  return (
    <Form
      label={connector ? `Edit ${connector.name}` : 'Add a connector'}
      submitLabel={connector ? 'Save' : 'Add'}
      cancelTo={connector ? paths.connector(connector.uuid) : paths.connectors}
      isPending={submission.isPending}
      isDirty={attributes.isDirty || JSON.stringify(own) !== JSON.stringify(start)}
      refusal={submission.refusal}
      missing={
        own.name.trim() === '' ? 'It needs a name.' : isTested ? undefined : 'Test the connection before it is saved.'
      }
      onSubmit={submit}
    >
      <FormSection title="Address" description="Where the connector runs.">
        <TextInput
          label="Name"
          description={connector ? 'It cannot be changed.' : 'How people call it.'}
          required={!connector}
          readOnly={connector !== undefined}
          variant={connector ? 'unstyled' : 'default'}
          value={own.name}
          error={submission.problemOf('name')}
          onChange={(event) => setOwn({ ...own, name: event.currentTarget.value })}
          autoComplete="off"
        />
        <TextInput
          label="URL"
          description="The platform calls it there, so it must be reached from the machine of the platform."
          placeholder="https://connector.example:8443"
          required
          type="url"
          value={own.url}
          error={submission.problemOf('url')}
          onChange={(event) => setOwn({ ...own, url: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          label="The platform signs in by"
          required
          data={authTypes.map((value) => ({ value, label: authWords[value] }))}
          value={own.authType}
          onChange={(value) => setOwn({ ...own, authType: authTypes.find((each) => each === value) ?? 'none' })}
        />
      </FormSection>
      {definitions.error ? (
        <Failure error={definitions.error} retry={() => void definitions.refetch()} />
      ) : definitions.data ? (
        <AttributeForm form={attributes} title="Sign-in" />
      ) : (
        <Loading what="what this way to sign in asks for" />
      )}
      <FormSection title="Test" description="Asks the connector what it offers. Nothing is stored.">
        <Group>
          <Button
            variant="default"
            loading={test.isPending}
            disabled={access.url === ''}
            onClick={() => {
              if (attributes.check()) test.mutate(access);
            }}
          >
            Test the connection
          </Button>
        </Group>
        <div role="status">
          {test.error && isCurrent ? (
            <TestRefused error={test.error} />
          ) : (
            isTested && <TestPassed offers={test.data ?? []} />
          )}
        </div>
      </FormSection>
    </Form>
  );
}

function TestPassed({ offers }: { readonly offers: readonly Connection[] }) {
  return (
    <Callout tone="good" title="It answers">
      {offers.map(({ functionGroup: { functionGroupCode: code, kinds } }) => (
        <div key={code}>
          {functionGroupWords[code].title}: {kinds.join(', ')}
        </div>
      ))}
    </Callout>
  );
}

function TestRefused({ error }: { readonly error: unknown }) {
  return (
    <Callout tone="bad" title="There is no connection">
      {wordsOf(error).text}
    </Callout>
  );
}
