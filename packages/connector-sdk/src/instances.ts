// Authority, entity and notification instances in memory: for connectors in development, and for those that need no
// persistence. The handlers fit the operations of each of these function groups.
import { randomUUID } from 'node:crypto';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { validateAttributes } from './attributes/validate-attributes.ts';
import { notFound, rejectIf } from './connector-error.ts';

export interface InstanceRequest {
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
}

export interface InstanceView {
  uuid: string;
  name: string;
  attributes: BaseAttributeDto[];
}

interface InstanceCall {
  readonly params: { readonly uuid: string } | { readonly entityUuid: string };
}

export interface Instances {
  list(): InstanceView[];
  create(call: { readonly body: InstanceRequest }): InstanceView;
  get(call: InstanceCall): InstanceView;
  update(call: InstanceCall & { readonly body: InstanceRequest }): InstanceView;
  remove(call: InstanceCall): void;
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
  const show = (uuid: string): InstanceView => {
    const { name, attributes } = find(uuid);
    return { uuid, name, attributes: define().flatMap((definition) => toDataAttributes(definition, attributes)) };
  };
  const save = (uuid: string, { name, attributes }: InstanceRequest): InstanceView => {
    rejectIf(validateAttributes(define(), attributes));
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

const uuidIn = (params: InstanceCall['params']): string => ('uuid' in params ? params.uuid : params.entityUuid);

/** Returns a definition with its value, without secrets. */
function toDataAttributes(definition: BaseAttributeDto, values: readonly RequestAttributeDto[]): DataAttribute[] {
  const given = values.find(({ name }) => name === definition.name);
  if (definition.type !== 'data' || !given || HIDDEN.has(definition.contentType)) return [];
  return [{ ...definition, content: given.content }];
}

/** Content types whose values are never shown. Files are usually key stores, and credentials include their secrets. */
const HIDDEN: ReadonlySet<string> = new Set(['secret', 'file', 'credential']);
