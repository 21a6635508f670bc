// Instances of authorities, entities and notifications, kept in memory: for connectors that are being written, and for
// those that need not remember. The handlers fit the operations of each of these function groups.
import { randomUUID } from 'node:crypto';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { validateAttributes } from './attributes/validate-attributes.ts';
import { notFound, refuseIf } from './connector-error.ts';

export interface InstanceRequest {
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
}

export interface ShownInstance {
  uuid: string;
  name: string;
  attributes: BaseAttributeDto[];
}

interface OfInstance {
  readonly params: { readonly uuid: string } | { readonly entityUuid: string };
}

export interface Instances {
  list(): ShownInstance[];
  create(call: { readonly body: InstanceRequest }): ShownInstance;
  get(call: OfInstance): ShownInstance;
  update(call: OfInstance & { readonly body: InstanceRequest }): ShownInstance;
  remove(call: OfInstance): void;
  /** What an instance was made with, secrets included; refuses with 404 what does not exist. */
  find(uuid: string): InstanceRequest;
}

/** `one` is how refusals name an instance, e.g. `Authority`; values are checked by the definitions. */
export function instancesInMemory(one: string, define: () => readonly BaseAttributeDto[] = () => []): Instances {
  const known = new Map<string, InstanceRequest>();
  const find = (uuid: string): InstanceRequest => {
    const instance = known.get(uuid);
    if (!instance) throw notFound(one, uuid);
    return instance;
  };
  const show = (uuid: string): ShownInstance => {
    const { name, attributes } = find(uuid);
    return { uuid, name, attributes: define().flatMap((definition) => shown(definition, attributes)) };
  };
  const save = (uuid: string, { name, attributes }: InstanceRequest): ShownInstance => {
    refuseIf(validateAttributes(define(), attributes));
    known.set(uuid, { name, attributes });
    return show(uuid);
  };
  return {
    find,
    list: () => [...known.keys()].map(show),
    create: ({ body }) => save(randomUUID(), body),
    get: ({ params }) => show(uuidIn(params)),
    update: ({ params, body }) => {
      find(uuidIn(params));
      return save(uuidIn(params), body);
    },
    remove: ({ params }) => {
      find(uuidIn(params));
      known.delete(uuidIn(params));
    },
  };
}

const uuidIn = (params: OfInstance['params']): string => ('uuid' in params ? params.uuid : params.entityUuid);

/** A definition with its value. Secrets are never shown. */
function shown(definition: BaseAttributeDto, values: readonly RequestAttributeDto[]): DataAttribute[] {
  const given = values.find(({ name }) => name === definition.name);
  if (definition.type !== 'data' || !given || HIDDEN.has(definition.contentType)) return [];
  return [{ ...definition, content: given.content }];
}

/** Files are key stores as a rule, and credentials come with their secrets. */
const HIDDEN: ReadonlySet<string> = new Set(['secret', 'file', 'credential']);
