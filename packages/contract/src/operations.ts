// Declares an area's operations as a table: common facts are stated once for the table, and facts that follow from the
// route are derived.
import { z } from 'zod';
import type { Resource } from './platform/resource.ts';
import type { AuditModule, AuditOperation } from './platform/audit-vocabulary.ts';
import type { Access, AuditFacts, ErrorStatus, Method, Operation, Permission, Success } from './operation.ts';
import { uuid } from './primitives.ts';
import { readOperationOf } from './read-operation.ts';

// Error statuses that operations declare, named by cause. All non-public operations can fail because of missing
// authentication or permission, a malformed request, or an internal error.

/** Only the causes that all non-public operations share. */
export const plainErrors = [400, 401, 403, 500] as const;
/** An object in the request may not exist. */
export const objectErrors = [400, 401, 403, 404, 500] as const;
/** Business rules can reject the request. */
export const ruleErrors = [400, 401, 403, 404, 422, 500] as const;
/** The operation calls a connector. */
export const connectorErrors = [400, 401, 403, 404, 500, 502, 503] as const;
/** The operation calls a connector; the connector or business rules can reject the request. */
export const connectorRuleErrors = [400, 401, 403, 404, 422, 500, 502, 503] as const;

/** Facts that the operations in a table share. Each operation can override them. */
interface Shared {
  readonly tag: string;
  /** Resource for permissions and audit records that do not specify one. */
  readonly resource?: Resource;
  readonly module?: AuditModule;
  readonly errors?: readonly ErrorStatus[];
  readonly since?: Operation['since'];
}

/** One operation in a table: a compact form of `Operation`. */
interface Row extends Pick<
  Operation,
  'summary' | 'params' | 'query' | 'body' | 'bodyOptional' | 'largeBody' | 'also' | 'scope' | 'repeated' | 'pace'
> {
  /** Method and path template, e.g. `GET /v1/groups/{uuid}`. If `params` is absent, path parameters are UUIDs. */
  readonly route: `${Method} /${string}`;
  /** Identifier of the operation, if it differs from the key. */
  readonly id?: string;
  readonly tag?: string;
  /** Response body with status 200. */
  readonly answer?: z.ZodType;
  /** Response body with status 201. */
  readonly created?: z.ZodType;
  /** Any other response. If `answer`, `created` and `success` are all absent, the status is 204. */
  readonly success?: Success;
  readonly errors?: readonly ErrorStatus[];
  readonly access?: Exclude<Access, Permission> | InheritedResource<Permission>;
  /** Only the operation if the table specifies the module and resource. */
  readonly audit?: AuditOperation | AuditFacts;
}

/** A permission that can inherit its resource from the table. */
type InheritedResource<Value extends Permission> = Omit<Value, 'resource'> & Partial<Pick<Value, 'resource'>>;

type Path<Route> = Route extends `${Method} ${infer Template}` ? Template : never;
type Names<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type ParamsOf<R extends Row> = R extends { readonly params: infer Params extends z.ZodObject }
  ? { readonly params: Params }
  : [Names<Path<R['route']>>] extends [never]
    ? unknown
    : { readonly params: z.ZodObject<Record<Names<Path<R['route']>>, ReturnType<typeof uuid>>> };
type SuccessOf<R extends Row> = R extends { readonly answer: infer Body extends z.ZodType }
  ? { readonly status: 200; readonly body: Body }
  : R extends { readonly created: infer Body extends z.ZodType }
    ? { readonly status: 201; readonly body: Body }
    : R extends { readonly success: infer Other extends Success }
      ? Other
      : { readonly status: 204 };

/** Members that determine the types of handlers and clients. */
type TypedMembers = 'query' | 'body' | 'bodyOptional';

/** The operation that a row declares, with the literal types of its schemas. */
type DeclaredOperation<R extends Row> = Omit<Operation, 'params' | 'success' | TypedMembers> &
  Pick<R, Extract<keyof R, TypedMembers>> &
  ParamsOf<R> & { readonly success: SuccessOf<R> };

/**
 * Returns a table's operations by key. Throws if neither a row nor its table specifies a required fact, or if `params`
 * does not match the route.
 */
export function operations<const Table extends Readonly<Record<string, Row>>>(
  shared: Shared,
  table: Table,
): { readonly [Key in keyof Table]: DeclaredOperation<Table[Key]> } {
  return Object.fromEntries(
    Object.entries<Row>(table).map(([key, row]) => [key, buildOperation(shared, key, row)]),
    // `declared` does for values what `Declared` does for types.
  ) as unknown as { readonly [Key in keyof Table]: DeclaredOperation<Table[Key]> };
}

function buildOperation(shared: Shared, key: string, row: Row): Operation {
  const { route, id = key, answer, created, success, params, errors, access, audit, ...rest } = row;
  const [method, path] = route.split(' ') as [Method, string]; // The type of `route` guarantees this format.
  const whole: Operation = {
    tag: shared.tag,
    ...rest,
    id,
    method,
    path,
    ...paramsOf(id, path, params),
    success: success ?? successOf(answer, created),
    errors: errors ?? requireFact(shared.errors, id, 'errors'),
    ...(shared.since === undefined ? {} : { since: shared.since }),
    ...(access === undefined ? {} : { access: accessOf(shared, id, access) }),
    ...(audit === undefined ? {} : { audit: auditOf(shared, id, audit) }),
  };
  const read = audit === undefined ? readOf(shared, whole) : undefined;
  return read ? { ...whole, read } : whole;
}

function successOf(answer: z.ZodType | undefined, created: z.ZodType | undefined): Success {
  if (answer) return { status: 200, body: answer };
  return created ? { status: 201, body: created } : { status: 204 };
}

function paramsOf(id: string, path: string, given: z.ZodObject | undefined): Pick<Operation, 'params'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (given && Object.keys(given.shape).toSorted().join() !== names.toSorted().join())
    throw new Error(`The parameters of ${id} do not match its route.`);
  if (given) return { params: given };
  return names.length === 0 ? {} : { params: z.object(Object.fromEntries(names.map((name) => [name, uuid()]))) };
}

function accessOf(shared: Shared, id: string, access: NonNullable<Row['access']>): Access {
  if (typeof access === 'string') return access;
  // The resource is always defined here, hence the cast.
  return { resource: access.resource ?? requireFact(shared.resource, id, 'resource'), ...access } as Permission;
}

function auditOf(shared: Shared, id: string, audit: NonNullable<Row['audit']>): AuditFacts {
  if (typeof audit === 'object') return audit;
  const [module, resource] = [requireFact(shared.module, id, 'module'), requireFact(shared.resource, id, 'resource')];
  return { module, resource, operation: audit };
}

/** Returns undefined for public operations, and for connector operations, which have no module. */
function readOf({ module, resource: shared }: Shared, read: Operation): AuditFacts | undefined {
  const { access, method, path, success } = read;
  const resource = typeof access === 'object' && !access.resource.startsWith('{') ? access.resource : shared;
  if (module === undefined || resource === undefined || access === undefined || access === 'public') return undefined;
  // The resource is never a parameter name, which would be in braces.
  return { module, resource: resource as Resource, operation: readOperationOf({ method, path, answer: success.body }) };
}

function requireFact<Value>(value: Value | undefined, id: string, what: string): Value {
  if (value === undefined) throw new Error(`Neither the operation ${id} nor its table specifies ${what}.`);
  return value;
}
