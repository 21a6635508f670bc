// An operation of either interface, as data. Routes, validation, types, OpenAPI, the client, and the permission and
// audit catalogs are all derived from these values; the wire format is not defined anywhere else.
import type { z } from 'zod';
import { UuidList } from './shared/objects.ts';
import type { Resource } from './platform/resource.ts';
import type { Action } from './platform/resource-actions.ts';
import type { AuditModule, AuditOperation } from './platform/audit-vocabulary.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A resource or, in braces, the path parameter that names it. */
export type ResourceOrParameter = Resource | `{${string}}`;

/** A required permission: an action on a resource, limited to the object named by a path parameter. */
export interface Permission {
  readonly resource: ResourceOrParameter;
  readonly action: Action;
  /** Path parameter that contains the object's identifier. */
  readonly object?: string;
  /**
   * Set for lists: they contain only objects for which the caller has this permission, so having it for some objects is
   * sufficient. Otherwise, a permission without an object is required on the resource as a whole.
   */
  readonly filtered?: true;
  /**
   * Path of the body member that identifies one or more objects, with dots between levels; `$` is the body itself. In
   * the operation's own permission, it replaces `object`.
   */
  readonly named?: string;
  /** Permission that is also required on the parent. */
  readonly parent?: Omit<Permission, 'parent'>;
}

/**
 * An additional permission on other objects that the request identifies. If `named` is present, the permission is
 * required only if the request identifies such objects.
 */
export interface AdditionalPermission extends Omit<Permission, 'parent' | 'filtered'> {
  /**
   * Condition in prose, checked by the use case because it cannot be derived from the request alone. If the caller
   * cannot see an object, the response is the same as if it did not exist.
   */
  readonly where?: string;
}

/** Required to change how callers are identified; only roles that allow everything have it. */
export const fullPermissions: AdditionalPermission = { resource: 'ANY', action: 'ANY' };

/**
 * Returns the path of the body member that identifies the objects of the operation's own permission, in the format of
 * `named`. Bulk operations accept a list of identifiers, or an object with such a list as a member.
 */
export function ownObjectsInBody({ access, body }: Operation): string | undefined {
  if (typeof access !== 'object' || access.object !== undefined) return undefined;
  return access.named ?? (body === UuidList ? '$' : undefined);
}

/** Whether the body is needed to check the operation's permissions. */
export const namesObjectsInBody = (operation: Operation): boolean =>
  ownObjectsInBody(operation) !== undefined || (operation.also ?? []).some(({ named }) => named !== undefined);

/** Callers who can use an operation. `bootstrap`: a loopback caller while no enabled administrator exists. */
export type Access = 'public' | 'authenticated' | 'bootstrap' | Permission;

/** Content of the audit record that an operation writes. */
export interface AuditFacts {
  readonly module: AuditModule;
  readonly resource: Resource;
  readonly operation: AuditOperation;
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  /** Alternative status with the same body, e.g. 200 if the object already existed. */
  readonly alternative?: 200;
  readonly body?: z.ZodType;
  /** Media type, if it is not JSON. */
  readonly media?: string;
  /** Additional media types of a binary response. */
  readonly otherMedia?: readonly string[];
}

/**
 * Effect of repeating an operation. `harmless`: no change. `same`: the change has the same result, although the second
 * response can differ. `again`: the effect occurs twice, e.g. two certificates are issued.
 */
export type RepetitionEffect = 'harmless' | 'same' | 'again';

/**
 * How long an operation can take. `quick`: checks whether something exists. `form`: returns data for a form, or a list.
 * `work`: does the work of a certification authority. `slow`: generates keys or contacts machines.
 */
export type Pace = 'quick' | 'form' | 'work' | 'slow';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422 | 500 | 501 | 502 | 503;

/**
 * Returns the error statuses of an operation. Changes that call a connector (502) also pass on its rejection of the
 * request (422), although the published document lists that status for only some of them.
 */
export const errorsOf = ({ method, errors }: Pick<Operation, 'method' | 'errors'>): readonly ErrorStatus[] =>
  method !== 'GET' && errors.includes(502) && !errors.includes(422)
    ? [...errors, 422 as const].toSorted((a, b) => a - b)
    : errors;

export interface Operation {
  /** Unique within its interface; also the `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: Method;
  /** Path template relative to the interface's base path, e.g. `/v1/groups/{uuid}`. */
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media type of a binary body. The operation's server reads the body itself. */
  readonly octets?: string;
  /** Whether the entire body can be absent. */
  readonly bodyOptional?: boolean;
  /** Whether bodies can be up to 16 MiB instead of 1 MiB, for operations that accept files. */
  readonly largeBody?: boolean;
  /**
   * Served by a protocol server: the body is the payload of a flattened JWS, and errors are problem documents (RFC
   * 8555). A POST operation without a body is a POST-as-GET.
   */
  readonly envelope?: 'jws';
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  /** Effect of repeating a connector operation, if it does not follow from the method. */
  readonly repeated?: RepetitionEffect;
  /** How long a connector can take, if this does not follow from the route. */
  readonly pace?: Pace;
  /** Absent for connector operations: a connector's own configuration decides who may call it. */
  readonly access?: Access;
  /**
   * Version of the published interface that adds the operation, if it is later than the announced version. Such an
   * operation is served, but is not part of the API description.
   */
  readonly since?: '2.17' | '2.18' | '2.19';
  /** Additional permissions, all of which are required. */
  readonly also?: readonly AdditionalPermission[];
  /**
   * Permission that a token's scope must include for a change that requires no permission (`authenticated`). If both
   * this and `also` are absent, scoped tokens cannot make the change.
   */
  readonly scope?: Pick<Permission, 'action'> & { readonly resource: Resource };
  /** Audit record of an operation that changes state. */
  readonly audit?: AuditFacts;
  /** Audit record of an operation that changes nothing, written if the settings require reads to be recorded. */
  readonly read?: AuditFacts;
}

/** Declares an operation and preserves its literal type, from which the types of handlers and clients are derived. */
export function operation<const Op extends Operation>(facts: Op): Op {
  return facts;
}

type SchemaOutput<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type SchemaInput<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** A handler's input, after validation. */
export interface OperationInput<Op extends Operation> {
  readonly params: SchemaOutput<Op['params']>;
  readonly query: SchemaOutput<Op['query']>;
  readonly body: SchemaOutput<Op['body']>;
}

/** A caller's request, before defaults are applied. */
export interface OperationRequest<Op extends Operation> {
  readonly params?: SchemaInput<Op['params']>;
  readonly query?: SchemaInput<Op['query']>;
  readonly body?: SchemaInput<Op['body']>;
}

/** Body of the successful response; `undefined` if there is none. */
export type OperationResponse<Op extends Operation> = Op['success'] extends { readonly body: infer Body }
  ? Body extends z.ZodType
    ? z.input<Body>
    : undefined
  : Op['success'] extends { readonly media: string }
    ? Uint8Array
    : undefined;

/** A named table of operations, e.g. those of one area. */
export type OperationTable = Readonly<Record<string, Operation>>;
