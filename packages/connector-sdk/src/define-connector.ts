// Defines a connector by its function groups. Their kinds are declared in advance, and the running instance has one
// handler per operation.
import type { FunctionGroupCode } from '@signetry/contract';
import type {
  Connector,
  ConnectorContext,
  ConnectorInstance,
  FunctionGroupDeclaration,
  Handlers,
} from './connector.ts';
import { bindFunctions, type FunctionHandlers } from './function-handlers.ts';

export interface ConnectorDefinition<Code extends FunctionGroupCode> extends Pick<Connector, 'name' | 'sealedValues'> {
  /** Function groups with their kinds. */
  readonly functions: { readonly [Each in Code]: Omit<FunctionGroupDeclaration, 'code'> };
  /** Absent for connectors without tables. */
  readonly migrations?: Connector['migrations'];
  create(context: ConnectorContext): FunctionsInstance<NoInfer<Code>>;
}

export interface FunctionsInstance<Code extends FunctionGroupCode> extends Omit<ConnectorInstance, 'handlers'> {
  readonly functions: { readonly [Each in Code]: FunctionHandlers<Each> };
  /** Handlers of operations beyond the interface, e.g. attribute callbacks; created by `handlersOf`. */
  readonly handlers?: Handlers;
}

/**
 * Creates a connector that checks the kind of each call, and checks values against their definitions if no handler
 * does.
 */
export function defineConnector<Code extends FunctionGroupCode>(definition: ConnectorDefinition<Code>): Connector {
  const { name, functions, migrations = [], sealedValues } = definition;
  const functionGroups = Object.entries<Omit<FunctionGroupDeclaration, 'code'>>(functions).map(
    ([code, declared]): FunctionGroupDeclaration => ({ code: code as Code, ...declared }), // The keys are group codes.
  );
  return {
    name,
    functionGroups,
    migrations,
    ...(sealedValues ? { sealedValues } : {}),
    create: (context) => {
      const { functions: given, handlers, ...instance } = definition.create(context);
      return { ...instance, handlers: { ...bindFunctions(functionGroups, given), ...handlers } };
    },
  };
}
