// An operation of either interface, as data. Routes, validation, types, OpenAPI, the client, the permission and the
// audit catalogue all derive from these values; nothing about the wire is defined anywhere else.
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
   * A list contains only objects for which the caller has this permission, so having it for some objects is enough.
   * Elsewhere a permission without an object is required on the resource as a whole.
   */
  readonly filtered?: true;
  /**
   * Member of the body that names the objects, one or a list, with dots between levels; `$` is the body itself. In the
   * permission of the operation itself it takes the place of `object`.
   */
  readonly named?: string;
  /** Permission on the parent that is also required. */
  readonly parent?: Omit<Permission, 'parent'>;
}

/**
 * A permission required in addition to that of the operation itself: on other objects that the request names. One with
 * `named` is required only when objects are named.
 */
export interface FurtherPermission extends Omit<Permission, 'parent' | 'filtered'> {
  /**
   * A condition in words, which the use case checks because the request alone does not tell. Without the right to see
   * an object, the answer is the same as if it did not exist.
   */
  readonly where?: string;
}

/** Asked for by what decides who callers are: only roles that allow everything hold it. */
export const fullPermissions: FurtherPermission = { resource: 'ANY', action: 'ANY' };

/**
 * Where the body of the operation names the objects of its own permission, in the form of `named`. Bulk operations take
 * a list of identifiers, or have it as a member.
 */
export function ownObjectsInBody({ access, body }: Operation): string | undefined {
  if (typeof access !== 'object' || access.object !== undefined) return undefined;
  return access.named ?? (body === UuidList ? '$' : undefined);
}

/** Whether the body is needed to check the permissions of the operation. */
export const namesObjectsInBody = (operation: Operation): boolean =>
  ownObjectsInBody(operation) !== undefined || (operation.also ?? []).some(({ named }) => named !== undefined);

/** Who may call an operation. `bootstrap` = a loopback caller while no enabled administrator exists. */
export type Access = 'public' | 'authenticated' | 'bootstrap' | Permission;

/** Facts of the audit record that an operation writes. */
export interface AuditFacts {
  readonly module: AuditModule;
  readonly resource: Resource;
  readonly operation: AuditOperation;
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  /** Another status with the same body, e.g. 200 if the object already existed. */
  readonly alternative?: 200;
  readonly body?: z.ZodType;
  /** Media type when it is not JSON. */
  readonly media?: string;
  /** Further media types of octets that an answer may have. */
  readonly otherMedia?: readonly string[];
}

/**
 * What comes of carrying out an operation twice. `harmless`: it changes nothing. `same`: what it changes is the same
 * then, though the second answer may be another. `again`: there are two effects, e.g. two certificates.
 */
export type Repeated = 'harmless' | 'same' | 'again';

/**
 * How long an operation may take. `quick`: a look at whether something is there. `form`: what a form waits for, or a
 * list. `work`: what a certification authority does. `slow`: keys are made, or machines reached.
 */
export type Pace = 'quick' | 'form' | 'work' | 'slow';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 422 | 500 | 501 | 502 | 503;

export interface Operation {
  /** Unique within its interface; also the `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: Method;
  /** Path template below the base path of the interface, e.g. `/v1/groups/{uuid}`. */
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media type of a body of octets, which its server reads by itself. */
  readonly octets?: string;
  /** Absent body allowed (the whole body is optional). */
  readonly bodyOptional?: boolean;
  /** Bodies up to 16 MiB instead of 1 MiB: the operation takes files. */
  readonly largeBody?: boolean;
  /**
   * Served by a protocol server: the body is the payload of a flattened JWS and errors are problem documents
   * (RFC 8555). Such an operation without a body is a POST-as-GET when its method is POST.
   */
  readonly envelope?: 'jws';
  readonly success: Success;
  readonly errors: readonly ErrorStatus[];
  /** What comes of carrying it out twice; of operations of connectors, where the method does not tell. */
  readonly repeated?: Repeated;
  /** How long a connector may take, where the route does not tell. */
  readonly pace?: Pace;
  /** Absent on connector operations: a connector's own configuration decides who may call it. */
  readonly access?: Access;
  /** All of them are required as well. */
  readonly also?: readonly FurtherPermission[];
  /**
   * What the scope of a token must allow for a change that takes no permission (`authenticated`). Without it, and
   * without `also`, no token with a scope makes the change.
   */
  readonly scope?: Pick<Permission, 'action'> & { readonly resource: Resource };
  /** Of an operation that changes state. */
  readonly audit?: AuditFacts;
  /** Of one that changes nothing, where the settings ask for records of reads. */
  readonly read?: AuditFacts;
}

/** Declares an operation; the literal type is kept so that handlers and clients are typed by it. */
export function operation<const Op extends Operation>(facts: Op): Op {
  return facts;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a handler receives, after validation. */
export interface OperationInput<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
}

/** What a caller sends, before defaults are applied. */
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
