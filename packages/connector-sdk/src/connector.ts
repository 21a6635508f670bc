// Interface between a connector and its host. A connector is a value that declares its function groups and creates an
// instance, regardless of where it runs (in the platform's process or on its own port).
import type {
  FunctionGroupCode,
  HealthDto,
  Operation,
  OperationResponse,
  OperationInput,
  OperationTable,
} from '@signetry/contract';
import type { ConnectorStorage } from './storage/storage.ts';
import type { TokenKeys } from './token-keys.ts';

/** A function group that the connector implements. */
export interface FunctionGroupDeclaration {
  readonly code: FunctionGroupCode;
  /** Kinds of provider in the group, e.g. `['SoftwareCA']`. */
  readonly kinds: readonly string[];
  /** Optional capabilities beyond the interface, e.g. `idempotency`; platforms ignore unknown ones. */
  readonly features?: readonly string[];
}

/** One migration of the connector's own schema; each runs once, in order, in its own transaction. */
export interface ConnectorMigration {
  readonly name: string;
  /** SQL of the migration; `schema` is the quoted name of the connector's schema. */
  readonly sql: (schema: string) => string;
}

/** Where a connector stores values sealed with `ConnectorContext.seal`: one value per row of one of its tables. */
export interface SealedValues {
  readonly table: string;
  /** Name of the table's primary key column, of type uuid. */
  readonly key: string;
  /** Name of a bytea column. */
  readonly column: string;
  /** Returns the purpose to which a row's value is bound. */
  readonly purpose: (key: string) => string;
}

export interface Connector {
  /** Stable name in kebab-case, e.g. `software-authority`. */
  readonly name: string;
  readonly functionGroups: readonly FunctionGroupDeclaration[];
  readonly migrations: readonly ConnectorMigration[];
  /** All sealed values, so that a platform can reseal them when it rotates its sealing key. */
  readonly sealedValues?: readonly SealedValues[];
  /** Operations whose handlers await `CallFacts.committed` themselves; all other handlers start after it resolves. */
  readonly begunBeforeCommit?: readonly Operation[];
  create(context: ConnectorContext): ConnectorInstance;
}

/** A logger whose first argument is an object, like pino's. Never log secrets. */
export interface ConnectorLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Rules for the addresses that connectors can connect to when callers choose the target. */
export interface ConnectorEgress {
  /**
   * Throws, with a reason for users, if connections to an address are not permitted. `host` is the value from the
   * caller: a name that resolved to the address, or the address itself. If no port is specified, only rules for all
   * ports apply. The error's `reason` is `ownListener` if the target is a listener of the host.
   */
  assertAddress(host: string, target: { readonly address: string; readonly port?: number }): void;
}

/** Services and settings that a host provides to a connector. */
export interface ConnectorContext {
  readonly storage: ConnectorStorage;
  /** Seals a secret at rest; it can be opened only with the same `purpose`. */
  seal(plain: Uint8Array, purpose: string): Uint8Array;
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  readonly clock: { now(): Date };
  /** A recorded time that an operator has declared wrong: the clock is correct even though it is behind that time. */
  readonly acceptedClock?: Date | undefined;
  randomBytes(length: number): Uint8Array;
  readonly log: ConnectorLog;
  /**
   * Base URL under which the connector's CRLs, OCSP responses and CA certificates are published, for connectors on
   * their own port. Absent inside the platform, which adds its own URLs to the attributes that it sends.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Native libraries that the operator permits connectors to load: paths by name. Loading one runs its code, so no
   * caller input may select any other library.
   */
  readonly libraries?: Readonly<Record<string, string>> | undefined;
  /** Absent if the host does not permit connections to targets that callers choose. */
  readonly egress?: ConnectorEgress | undefined;
  /** Directories on this machine in which the operator permits connectors to change files: paths by name. */
  readonly directories?: Readonly<Record<string, string>> | undefined;
  /** Directories on this machine whose files the operator permits connectors to read: paths by name. */
  readonly readableDirectories?: Readonly<Record<string, string>> | undefined;
  /** Shell commands that the operator permits connectors to run after changing files, by name. */
  readonly reloadCommands?: Readonly<Record<string, string>> | undefined;
  /**
   * Resolves a host and checks its addresses against the rules for outgoing connections; connect only to the returned
   * ones. Rejects with a reason for users. Absent for connectors on their own port, where the machine's firewall
   * decides.
   */
  resolveHost?(name: string, port: number): Promise<readonly { readonly address: string }[]>;
  /** Keys in tokens that the host signs with. Absent if the host stores none, e.g. for connectors on their own port. */
  readonly tokenKeys?: TokenKeys | undefined;
}

/** Additional input of a handler, besides the validated parameters. */
export interface CallFacts {
  /** Idempotency key. A repeated call with the same key must return the same result without a second effect. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the caller disconnects or the call times out. */
  readonly signal: AbortSignal;
  /**
   * Resolves when the caller has committed its request, after which the call can have effects that others can see, e.g.
   * a signature; rejects if the call must have no effect. Only for operations in `begunBeforeCommit`; preparation and
   * journaling need not wait.
   */
  readonly committed?: Promise<void> | undefined;
}

/** A validated call. */
export type HandlerCall<Op extends Operation = Operation> = OperationInput<Op> & CallFacts;

/** Return value of a handler: nothing if the operation has no body. */
export type HandlerResponse<Op extends Operation> =
  OperationResponse<Op> extends undefined ? void : OperationResponse<Op>;

/** Performs one operation; throws `ConnectorError` to reject the call. */
export type Handler<Op extends Operation = Operation> = (
  call: HandlerCall<Op>,
) => HandlerResponse<Op> | Promise<HandlerResponse<Op>>;

/** A handler together with the operation that it performs. */
export interface Implementation {
  readonly operation: Operation;
  /** Accepts only the input of this operation; `never` lets handlers of different operations share a map. */
  readonly handle: (call: never) => unknown;
}

/** Handlers by operation ID, created by `handlersOf`. */
export type Handlers = Readonly<Record<string, Implementation>>;

/** Handlers of some operations of a table, typed by these operations. */
export type HandlersOf<Table extends OperationTable> = { readonly [Name in keyof Table]?: Handler<Table[Name]> };

/** A key at a connector, by the identifiers that the connector assigned. */
export interface ExportedKeyReference {
  readonly token: string;
  readonly key: string;
}

export interface ConnectorInstance {
  readonly handlers: Handlers;
  /**
   * Returns a private key as PKCS #8 in DER if it was created as exportable; throws `ConnectorError` otherwise. Not
   * part of the connector interface: it is available only to a host that runs the connector in its own process, so that
   * keys are never sent over a network. The caller overwrites the bytes after use.
   */
  exportPrivateKey?(reference: ExportedKeyReference): Promise<Uint8Array>;
  health?(): HealthDto | Promise<HealthDto>;
  /** Stops background work; running calls can still finish. */
  stop?(): void | Promise<void>;
}

/** An instance together with its declaration, from which the info response is derived. Both transports use it. */
export interface RunningConnector extends ConnectorInstance {
  readonly connector: Connector;
}

/** Binds handlers to the operations of a table by name; each is type-checked against its operation. */
export function handlersOf<Table extends OperationTable>(table: Table, handlers: HandlersOf<Table>): Handlers {
  const bound: Record<string, Implementation> = {};
  for (const [name, handle] of Object.entries(handlers)) {
    const operation = table[name];
    // The parameter's type guarantees that they match.
    if (operation && handle) bound[operation.id] = { operation, handle: handle as Implementation['handle'] };
  }
  return bound;
}
