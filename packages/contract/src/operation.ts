// An operation of either interface, as data. Routes, validation, types, OpenAPI, the client, and the permission and
// audit catalogs are all derived from these values; the wire format is not defined anywhere else.
import type { z } from 'zod';
import { UuidList } from './shared/objects.ts';
import type { Resource } from './platform/resource.ts';
import type { Action } from './platform/resource-actions.ts';
import type { AuditModule, AuditOperation } from './platform/audit-vocabulary.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A resource, or the path parameter that names it, in braces. */
export type ResourceOrParameter = Resource | `{${string}}`;

/** A required permission: an action on a resource, limited to the object named by a path parameter. */
export interface Permission {
  readonly resource: ResourceOrParameter;
  readonly action: Action;
  /** Path parameter that carries the identifier of the object. */
  readonly object?: string;
  /**
   * A list contains only objects for which the caller has this permission, so having it for some objects is sufficient.
   * Otherwise, a permission without an object is required on the resource as a whole.
   */
  readonly filtered?: true;
  /**
   * Path of the body member that identifies one or more objects, with dots between levels; `$` is the body itself. In
   * the permission of the operation itself, it replaces `object`.
   */
  readonly named?: string;
  /** Permission on the parent that is also required. */
  readonly parent?: Omit<Permission, 'parent'>;
}

/**
 * An additional permission, on other objects that the request identifies. If it has `named`, it is required only if the
 * request identifies such objects.
 */
export interface FurtherPermission extends Omit<Permission, 'parent' | 'filtered'> {
  /**
   * Condition in prose, checked by the use case because it cannot be derived from the request alone. If the caller
   * cannot see an object, the response is the same as if it did not exist.
   */
  readonly where?: string;
}

/** Required to change how callers are identified; held only by roles that allow everything. */
export const fullPermissions: FurtherPermission = { resource: 'ANY', action: 'ANY' };

/**
 * Returns where the body identifies the objects of the operation's own permission, in the format of `named`. Bulk
 * operations accept a list of identifiers, or an object with such a list as a member.
 */
export function ownObjectsInBody({ access, body }: Operation): string | undefined {
  if (typeof access !== 'object' || access.object !== undefined) return undefined;
  return access.named ?? (body === UuidList ? '$' : undefined);
}

/** Whether the body is needed to check the operation's permissions. */
export const namesObjectsInBody = (operation: Operation): boolean =>
  ownObjectsInBody(operation) !== undefined || (operation.also ?? []).some(({ named }) => named !== undefined);

/** Callers permitted to use an operation. `bootstrap` = a loopback caller while no enabled administrator exists. */
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
 * Effect of repeating an operation. `harmless`: no change. `same`: the result of the change is the same, although the
 * second response can differ. `again`: two effects, e.g. two certificates.
 */
export type Repeated = 'harmless' | 'same' | 'again';

/**
 * How long an operation can take. `quick`: a check whether something exists. `form`: data for a form, or a list.
 * `work`: the work of a certification authority. `slow`: keys are generated, or machines are contacted.
 */
export type Pace = 'quick' | 'form' | 'work' | 'slow';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422 | 500 | 501 | 502 | 503;

export interface Operation {
  /** Unique within its interface; also the `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: Method;
  /** Path template relative to the base path of the interface, e.g. `/v1/groups/{uuid}`. */
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media type of a binary body, which its server reads itself. */
  readonly octets?: string;
  /** The whole body can be absent. */
  readonly bodyOptional?: boolean;
  /** Accepts bodies up to 16 MiB instead of 1 MiB, for operations that accept files. */
  readonly largeBody?: boolean;
  /**
   * Served by a protocol server: the body is the payload of a flattened JWS, and errors are problem documents (RFC
   * 8555). A POST operation without a body is a POST-as-GET.
   */
  readonly envelope?: 'jws';
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  /** Effect of repeating the operation, for connector operations if it does not follow from the method. */
  readonly repeated?: Repeated;
  /** How long a connector can take, if it does not follow from the route. */
  readonly pace?: Pace;
  /** Absent on connector operations: a connector's own configuration decides who may call it. */
  readonly access?: Access;
  /** Additional permissions, all of which are required. */
  readonly also?: readonly FurtherPermission[];
  /**
   * Permission that the scope of a token must include for a change that requires no permission (`authenticated`). If
   * both this and `also` are absent, scoped tokens cannot make the change.
   */
  readonly scope?: Pick<Permission, 'action'> & { readonly resource: Resource };
  /** For operations that change state. */
  readonly audit?: AuditFacts;
  /** For operations that change nothing, if the settings require reads to be recorded. */
  readonly read?: AuditFacts;
}

/** Declares an operation; preserves the literal type, from which handlers and clients are typed. */
export function operation<const Op extends Operation>(facts: Op): Op {
  return facts;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** Input of a handler, after validation. */
export interface OperationInput<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
}

/** Request of a caller, before defaults are applied. */
export interface OperationRequest<Op extends Operation> {
  readonly params?: Sent<Op['params']>;
  readonly query?: Sent<Op['query']>;
  readonly body?: Sent<Op['body']>;
}

/** Body of the successful response; `undefined` for an operation without one. */
export type OperationAnswer<Op extends Operation> = Op['success'] extends { readonly body: infer Body }
  ? Body extends z.ZodType
    ? z.input<Body>
    : undefined
  : Op['success'] extends { readonly media: string }
    ? Uint8Array
    : undefined;

/** A named table of operations, e.g. those of one area. */
export type OperationTable = Readonly<Record<string, Operation>>;
