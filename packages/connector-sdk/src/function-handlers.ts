// Handlers by function group. Connectors need not implement handlers that can be derived: values are checked against
// their definitions, and a kind without definitions has an empty list.
import {
  connectorBaseOperations,
  functionGroupOperations,
  type BaseAttributeDto,
  type FunctionGroupCode,
  type Operation,
  type OperationTable,
  type optionalOperations,
  type RequestAttributeDto,
} from '@signetry/contract';
import { validateAttributes } from './attributes/validate-attributes.ts';
import { ConnectorError, notFound, rejectIf } from './connector-error.ts';
import { isObject } from './is-object.ts';
import type { CallFacts, FunctionGroupDeclaration, Handler, Handlers, Implementation } from './connector.ts';

type Tables = typeof functionGroupOperations;
type Optional<Code extends FunctionGroupCode> = (typeof optionalOperations)[Code][number];
type HandlerIn<Code extends FunctionGroupCode, Name extends keyof Tables[Code]> = Handler<
  Extract<Tables[Code][Name], Operation>
>;

/** Handlers for a function group's operations, by endpoint name. */
export type FunctionHandlers<Code extends FunctionGroupCode> = {
  readonly [Name in Exclude<keyof Tables[Code], Optional<Code>>]: HandlerIn<Code, Name>;
} & {
  readonly [Name in Extract<keyof Tables[Code], Optional<Code>>]?: HandlerIn<Code, Name>;
};

/** Properties of a call to an unknown operation. */
type AnyCall = CallFacts & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
};
type AnyHandler = (call: AnyCall) => unknown;

/** Handlers of one function group, by name. */
interface Group extends FunctionGroupDeclaration {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
}

/** Binds the handlers of all function groups to their operations. */
export function bindFunctions(
  declarations: readonly FunctionGroupDeclaration[],
  functions: Readonly<Partial<Record<FunctionGroupCode, object>>>,
): Handlers {
  const groups = declarations.map((declaration): Group => {
    // The handlers are typed where they are declared.
    const given = (functions[declaration.code] ?? {}) as Group['handlers'];
    return { ...declaration, handlers: withDerivedHandlers(functionGroupOperations[declaration.code], given) };
  });
  const bound = new Map<string, Implementation>();
  for (const { code, kinds, handlers } of groups) {
    const table: OperationTable = functionGroupOperations[code];
    for (const [name, handle] of Object.entries(handlers)) {
      const operation = table[name];
      if (!operation) throw new Error(`The function group ${code} has no operation ${name}.`);
      if (isKindOperation(operation)) continue;
      if (bound.has(operation.id))
        throw new Error(`Two function groups have a handler for ${operation.id}, because they share its path.`);
      bound.set(operation.id, { operation, handle: restrictToKinds(kinds, handle) });
    }
  }
  const { listAttributeDefinitions, validateAttributes: validate } = connectorBaseOperations;
  for (const [name, operation] of Object.entries({ listAttributeDefinitions, validateAttributes: validate }))
    bound.set(operation.id, { operation, handle: (call: AnyCall) => groupOf(groups, call).handlers[name]?.(call) });
  return Object.fromEntries(bound);
}

const isKindOperation = ({ path }: Operation): boolean => path.includes('{functionalGroup}');

/** Returns the group that a call for a kind's attributes refers to. */
function groupOf(groups: readonly Group[], { params }: AnyCall): Group {
  const { functionalGroup = '', kind = '' } = params;
  // First-generation authorities share the paths of second-generation ones, and platforms use both.
  const group =
    groups.find(({ code }) => code === functionalGroup) ??
    groups.find(({ code }) => code === 'legacyAuthorityProvider' && functionalGroup === 'authorityProvider');
  if (group?.kinds.includes(kind)) return group;
  throw new ConnectorError(404, `Function group ${functionalGroup} has no kind "${kind}".`);
}

/** Rejects kinds that the group does not offer, whether named in the path or in the body. */
const restrictToKinds =
  (kinds: readonly string[], handle: AnyHandler): AnyHandler =>
  (call) => {
    const kind = kindIn(call.params) ?? kindIn(call.body);
    if (kind !== undefined && !kinds.includes(kind)) throw notFound('Kind', kind);
    return handle(call);
  };

const kindIn = (part: unknown): string | undefined =>
  isObject(part) && 'kind' in part && typeof part.kind === 'string' ? part.kind : undefined;

/** Returns the given handlers and those derived from them. */
function withDerivedHandlers(table: OperationTable, given: Group['handlers']): Group['handlers'] {
  const handlers: Record<string, AnyHandler> = { listAttributeDefinitions: () => [] };
  if ('getCreateTokenAttributes' in table) handlers['getCreateTokenAttributes'] = rejectOption;
  for (const [name, handle] of Object.entries(given)) if (handle) handlers[name] = handle;
  for (const [name, { path }] of Object.entries(table)) {
    if (handlers[name] || !path.endsWith('/attributes/validate')) continue;
    const list = Object.entries(table).find(([, other]) => `${other.path}/validate` === path)?.[0];
    const define = list === undefined ? undefined : handlers[list];
    if (define) handlers[name] = validateAgainst(define);
  }
  return handlers;
}

const rejectOption: AnyHandler = ({ params }) => {
  throw notFound('Option', params['option'] ?? '');
};

/** Checks values against the definitions that a handler returns. */
const validateAgainst =
  (define: AnyHandler): AnyHandler =>
  async (call) => {
    // `define` always lists definitions.
    const definitions = (await define({ ...call, body: undefined })) as BaseAttributeDto[];
    const given = call.body as RequestAttributeDto[]; // The operation declares this type.
    // A group's callback returns definitions that are not known here.
    const allowUnknown = definitions.some(({ type }) => type === 'group');
    rejectIf(validateAttributes(definitions, given, { allowUnknown }));
  };
