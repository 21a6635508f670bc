// Handlers by function group. What a group can answer for by itself need not be written: a check of values follows from
// their definitions, and a kind without definitions has none.
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
import { ConnectorError, notFound, refuseIf } from './connector-error.ts';
import { isObject } from './is-object.ts';
import type { CallFacts, FunctionGroupDeclaration, Handler, Handlers, Implementation } from './connector.ts';

type Tables = typeof functionGroupOperations;
type Optional<Code extends FunctionGroupCode> = (typeof optionalOperations)[Code][number];
type HandlerIn<Code extends FunctionGroupCode, Name extends keyof Tables[Code]> = Handler<
  Extract<Tables[Code][Name], Operation>
>;

/** A handler per operation of a function group, under the name of its endpoint. */
export type FunctionHandlers<Code extends FunctionGroupCode> = {
  readonly [Name in Exclude<keyof Tables[Code], Optional<Code>>]: HandlerIn<Code, Name>;
} & {
  readonly [Name in Extract<keyof Tables[Code], Optional<Code>>]?: HandlerIn<Code, Name>;
};

/** What is known of a call where the operation is not. */
type AnyCall = CallFacts & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
};
type AnyHandler = (call: AnyCall) => unknown;

/** The handlers of one function group, by name. */
interface Group extends FunctionGroupDeclaration {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
}

/** Binds the handlers of all function groups to their operations. */
export function bindFunctions(
  declarations: readonly FunctionGroupDeclaration[],
  functions: Readonly<Partial<Record<FunctionGroupCode, object>>>,
): Handlers {
  const groups = declarations.map((declaration): Group => {
    const given = (functions[declaration.code] ?? {}) as Group['handlers']; // typed where they are declared
    return { ...declaration, handlers: withDerived(functionGroupOperations[declaration.code], given) };
  });
  const bound = new Map<string, Implementation>();
  for (const { code, kinds, handlers } of groups) {
    const table: OperationTable = functionGroupOperations[code];
    for (const [name, handle] of Object.entries(handlers)) {
      const operation = table[name];
      if (!operation) throw new Error(`The function group ${code} has no operation ${name}.`);
      if (isOfKinds(operation)) continue;
      if (bound.has(operation.id))
        throw new Error(`Two function groups have a handler of ${operation.id}: they share its path.`);
      bound.set(operation.id, { operation, handle: ofKinds(kinds, handle) });
    }
  }
  const { listAttributeDefinitions, validateAttributes: validate } = connectorBaseOperations;
  for (const [name, operation] of Object.entries({ listAttributeDefinitions, validateAttributes: validate }))
    bound.set(operation.id, { operation, handle: (call: AnyCall) => groupOf(groups, call).handlers[name]?.(call) });
  return Object.fromEntries(bound);
}

const isOfKinds = ({ path }: Operation): boolean => path.includes('{functionalGroup}');

/** The group that a call on the attributes of a kind is for. */
function groupOf(groups: readonly Group[], { params }: AnyCall): Group {
  const { functionalGroup = '', kind = '' } = params;
  // Authorities of the first generation have the paths of the second, and platforms use both.
  const group =
    groups.find(({ code }) => code === functionalGroup) ??
    groups.find(({ code }) => code === 'legacyAuthorityProvider' && functionalGroup === 'authorityProvider');
  if (group?.kinds.includes(kind)) return group;
  throw new ConnectorError(404, `There is no kind "${kind}" of ${functionalGroup} here.`);
}

/** Refuses kinds that the group does not offer, whether the path or the body names them. */
const ofKinds =
  (kinds: readonly string[], handle: AnyHandler): AnyHandler =>
  (call) => {
    const kind = kindIn(call.params) ?? kindIn(call.body);
    if (kind !== undefined && !kinds.includes(kind)) throw notFound('Kind', kind);
    return handle(call);
  };

const kindIn = (part: unknown): string | undefined =>
  isObject(part) && 'kind' in part && typeof part.kind === 'string' ? part.kind : undefined;

/** The given handlers, and those that follow from them. */
function withDerived(table: OperationTable, given: Group['handlers']): Group['handlers'] {
  const handlers: Record<string, AnyHandler> = { listAttributeDefinitions: () => [] };
  if ('getCreateTokenAttributes' in table) handlers['getCreateTokenAttributes'] = refuseOption;
  for (const [name, handle] of Object.entries(given)) if (handle) handlers[name] = handle;
  for (const [name, { path }] of Object.entries(table)) {
    if (handlers[name] || !path.endsWith('/attributes/validate')) continue;
    const list = Object.entries(table).find(([, other]) => `${other.path}/validate` === path)?.[0];
    const define = list === undefined ? undefined : handlers[list];
    if (define) handlers[name] = checkBy(define);
  }
  return handlers;
}

const refuseOption: AnyHandler = ({ params }) => {
  throw notFound('Option', params['option'] ?? '');
};

/** Checks values by the definitions that a handler answers. */
const checkBy =
  (define: AnyHandler): AnyHandler =>
  async (call) => {
    const definitions = (await define({ ...call, body: undefined })) as BaseAttributeDto[]; // lists of definitions only
    const given = call.body as RequestAttributeDto[]; // as the operation declares
    // The call-back of a group yields definitions that are not known here.
    const allowUnknown = definitions.some(({ type }) => type === 'group');
    refuseIf(validateAttributes(definitions, given, { allowUnknown }));
  };
