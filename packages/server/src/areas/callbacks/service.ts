// Executes callbacks: finds the definition, validates the request, calls the connector, validates the response.
import { isStorableText } from '@signetry/connector-sdk';
import {
  BaseAttributeDto,
  contentItemSchemaOf,
  operation,
  readLeniently,
  type FunctionGroupCode,
  type RequestAttributeCallback,
  type RequestAttributeDto,
} from '@signetry/contract';
import { z } from 'zod';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/is-object.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSigningKeyCallback, type AttributeEngine } from '../attributes/index.ts';
import type { ConnectorClient, Connectors } from '../connectors/index.ts';
import type { Credentials } from '../credentials/index.ts';
import {
  isCredentialCallback,
  credentialMembers,
  mappedValues,
  pathCall,
  textIn,
  type CallbackDefinition,
  type MappedValues,
  type PathCall,
} from './callback-call.ts';
import { endlessGroupProblems, groupsIn } from './nested-groups.ts';
import type { CallbackSource } from './parents.ts';
import * as store from './store.ts';

export interface CallbackAreas {
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly credentials: Credentials;
}

interface CallbackParts extends CallbackAreas {
  readonly platform: Platform;
}

/** No form fits more fields or choices than these. */
const MAX_DEFINITIONS = 500;
const MAX_CHOICES = 20_000;

export type CallbackService = ReturnType<typeof createCallbackService>;

export function createCallbackService(platform: Platform, areas: CallbackAreas) {
  const parts: CallbackParts = { platform, ...areas };
  return {
    /** Returns the source for attributes of a kind, e.g. those of a new authority. */
    async sourceOfKind(
      of: { readonly connectorUuid: string; readonly functionGroup: FunctionGroupCode; readonly kind: string },
      { signal }: RequestContext,
    ): Promise<CallbackSource> {
      const { connectorUuid, functionGroup } = of;
      return { connectorUuid, functionGroup, definitions: await parts.connectors.definitionsOfKind({ ...of, signal }) };
    },
    call: (source: CallbackSource, request: RequestAttributeCallback, context: RequestContext) =>
      call(parts, { source, request }, context),
  };
}

async function call(
  parts: CallbackParts,
  { source, request }: { readonly source: CallbackSource; readonly request: RequestAttributeCallback },
  context: RequestContext,
): Promise<unknown> {
  const { connectors } = parts;
  const found = await findDefinition(parts, source, request);
  const values = valueOf(mappedValues(found, request));
  if (isCredentialCallback(found.callback)) return credentialChoices(parts, values, context);
  if (isSigningKeyCallback(found.callback)) return signingKeyChoices(parts, context);
  const { connectorUuid, functionGroup } = source;
  const { functionGroups } = await connectors.facts(connectorUuid);
  const endPoints = functionGroups.find(({ code }) => code === functionGroup)?.endPoints ?? [];
  const asked = valueOf(pathCall(found, values, { functionGroup, endPoints }));
  const body = await withCredentials(parts, { found, body: asked.body }, context);
  const client = await connectors.client(connectorUuid);
  const answer = await callConnector(client, { ...asked, body }, context);
  return readResponse(parts, { source, found, client, answer });
}

type Candidate = Pick<CallbackDefinition, 'definition' | 'path'>;

/** Searches the current definitions, then those that the connector sent earlier, such as fields of a group. */
async function findDefinition(
  parts: CallbackParts,
  { connectorUuid, definitions }: CallbackSource,
  { name, uuid }: RequestAttributeCallback,
): Promise<CallbackDefinition> {
  const current: readonly Candidate[] = [
    ...definitions.filter(({ type }) => type === 'data').map((definition) => ({ definition, path: [] }) as Candidate),
    ...groupsIn(definitions),
  ].filter(({ definition }) => definition.name === name);
  const candidates = current.length > 0 ? current : await findStored(parts, { connectorUuid, name });
  const isRequested = ({ definition }: Candidate): boolean => definition.uuid.toLowerCase() === uuid?.toLowerCase();
  const candidate = candidates.find(isRequested) ?? candidates[0];
  if (!candidate) throw notFound('Attribute', name.slice(0, 100));
  const { definition, path } = candidate;
  const { attributeCallback: callback } = definition;
  if (!callback) throw rejected(`Attribute ${definition.name} has no callback.`);
  return { definition, path, callback };
}

async function findStored(
  { platform, attributes }: CallbackParts,
  key: { readonly connectorUuid: string; readonly name: string },
): Promise<readonly Candidate[]> {
  if (!isStorableText(key.name)) return [];
  const fields = await attributes.findKeptDefinitions(key.connectorUuid, [key.name]);
  const groups = await store.findNestedGroups(platform.database.executor, key);
  return [...fields.map((definition) => ({ definition, path: [] })), ...groups];
}

function valueOf<Value>(outcome: { readonly value: Value } | { readonly problems: readonly string[] }): Value {
  if ('value' in outcome) return outcome.value;
  throw rejected(...outcome.problems);
}

async function credentialChoices(
  { credentials }: CallbackParts,
  { pathVariable, requestParameter, body }: MappedValues,
  { actor }: RequestContext,
): Promise<unknown> {
  const kind = textIn({ ...body, ...requestParameter, ...pathVariable }, 'credentialKind');
  if (kind === undefined) throw rejected('The callback for credentials requires their kind (credentialKind).');
  const choices = await credentials.choices(kind, actor);
  return choices.map(({ uuid, name }) => ({ reference: name, data: { uuid, name } }));
}

async function signingKeyChoices({ attributes }: CallbackParts, { actor }: RequestContext): Promise<unknown> {
  const choices = await attributes.signingKeyChoices(actor);
  return choices.map(({ uuid, name }) => ({ reference: name, data: uuid }));
}

/** Returns the body, with references replaced by full credentials for callers who can see them. */
async function withCredentials(
  { attributes }: CallbackParts,
  { found, body }: { readonly found: CallbackDefinition; readonly body: PathCall['body'] },
  { actor }: RequestContext,
): Promise<PathCall['body']> {
  const members = credentialMembers(found.callback);
  if (!body || members.length === 0) return body;
  const expanded = await Promise.all(
    members.map(async (name) => {
      const named: RequestAttributeDto = {
        uuid: found.definition.uuid,
        name,
        contentType: 'credential',
        // The next statement checks this.
        content: [body[name]].flat().map((value) => ({ data: dataOf(value) as { uuid: string } })),
      };
      await attributes.assertCredentialsUsable([named], { actor });
      const [full] = await attributes.expandCredentials([named]);
      const data = (full?.content ?? []).map((item) => item.data);
      return [name, data.length === 1 ? data[0] : data] as const;
    }),
  );
  return { ...body, ...Object.fromEntries(expanded) };
}

/** A credential is referenced directly or as a content item. */
const dataOf = (value: unknown): unknown => (isObject(value) && isObject(value['data']) ? value['data'] : value);

function callConnector(client: ConnectorClient, { method, path, query, body }: PathCall, { signal }: RequestContext) {
  const asked = operation({
    id: 'callback',
    summary: `${method} ${path}`,
    tag: 'Callback',
    method,
    path,
    success: { status: 200, body: z.unknown() },
    errors: [],
  });
  return client.call(asked, { query, body } as object, { signal }); // The path already contains its parameters.
}

interface CallbackResult {
  readonly source: CallbackSource;
  readonly found: CallbackDefinition;
  readonly client: ConnectorClient;
  readonly answer: unknown;
}

/** A group's callback returns definitions, which are stored; any other callback returns choices. */
async function readResponse(
  { platform, attributes }: CallbackParts,
  { source, found: { definition, path }, client, answer }: CallbackResult,
): Promise<unknown> {
  if (definition.type === 'data') {
    const choices = z.array(contentItemSchemaOf(definition.contentType)).max(MAX_CHOICES);
    const offered = readLeniently(choices, answer, 'connector');
    if (!offered.success) throw malformedResponse(client, definition.name);
    return offered.data;
  }
  const read = readLeniently(z.array(BaseAttributeDto).max(MAX_DEFINITIONS), answer, 'connector');
  if (!read.success) throw malformedResponse(client, definition.name);
  const groups = groupsIn(read.data, [...path, definition.name]);
  const inForm = new Set(groupsIn(source.definitions).map((group) => group.definition.name));
  const problems = endlessGroupProblems(groups, { connector: client.name, inForm });
  if (problems.length > 0) throw rejected(...problems);
  const { connectorUuid } = source;
  await attributes.learnDefinitions(connectorUuid, read.data);
  await store.saveNestedGroups(platform.database.executor, { connectorUuid, groups });
  return read.data;
}

const malformedResponse = (client: ConnectorClient, name: string): AppError =>
  new AppError('connector_failed', {
    connector: client.name,
    problem: `its response to the callback of attribute ${name} does not conform to the interface`,
  });
