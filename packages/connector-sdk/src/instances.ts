// Authority, entity and notification instances in memory: for connectors in development, and for those that need no
// persistence. The handlers fit the operations of each of these function groups.
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
  /** Returns the values that an instance was created with, including secrets; throws 404 if it does not exist. */
  find(uuid: string): InstanceRequest;
}

/**
 * `one` is the name of an instance in error messages, e.g. `Authority`. Values are checked against the definitions from
 * `define`.
 */
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

/** Returns a definition with its value, without secrets. */
function shown(definition: BaseAttributeDto, values: readonly RequestAttributeDto[]): DataAttribute[] {
  const given = values.find(({ name }) => name === definition.name);
  if (definition.type !== 'data' || !given || HIDDEN.has(definition.contentType)) return [];
  return [{ ...definition, content: given.content }];
}

/** Content types whose values are never shown. Files are usually key stores, and credentials include their secrets. */
const HIDDEN: ReadonlySet<string> = new Set(['secret', 'file', 'credential']);
