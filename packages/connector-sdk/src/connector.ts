// What a connector is and what it is given. A connector is a value that declares its function groups and creates an
// instance, independent of where that runs (in the platform's process or on its own port).
import type {
  FunctionGroupCode,
  HealthDto,
  Operation,
  OperationAnswer,
  OperationInput,
  OperationTable,
} from '@signetry/contract';
import type { ConnectorStorage } from './storage/storage.ts';
import type { TokenKeys } from './token-keys.ts';

/** A function group that the connector implements. */
export interface FunctionGroupDeclaration {
  readonly code: FunctionGroupCode;
  /** The kinds of provider inside the group, e.g. `['SoftwareCA']`. */
  readonly kinds: readonly string[];
  /** Optional abilities beyond the interface, e.g. `idempotency`; platforms that do not know them ignore them. */
  readonly features?: readonly string[];
}

/** One step of the connector's own schema; steps run once each, in order, each in a transaction. */
export interface ConnectorMigration {
  readonly name: string;
  /** SQL of the step; `schema` is the quoted name of the connector's schema. */
  readonly sql: (schema: string) => string;
}

/** Where a connector stores what it sealed with `ConnectorContext.seal`: one value per row of one of its tables. */
export interface SealedValues {
  readonly table: string;
  /** Primary key of the table, of the type uuid. */
  readonly key: string;
  /** Column of bytes. */
  readonly column: string;
  /** What the value was bound to. */
  readonly purpose: (key: string) => string;
}

export interface Connector {
  /** Stable name in kebab-case, e.g. `software-authority`. */
  readonly name: string;
  readonly functionGroups: readonly FunctionGroupDeclaration[];
  readonly migrations: readonly ConnectorMigration[];
  /** All sealed values, so that a platform that rotates its sealing key can reseal them. */
  readonly sealedValues?: readonly SealedValues[];
  /** Operations whose handlers wait for `CallFacts.committed` themselves; all others are begun after it. */
  readonly begunBeforeCommit?: readonly Operation[];
  create(context: ConnectorContext): ConnectorInstance;
}

/** A logger that takes facts first, as pino does. Never log secrets. */
export interface ConnectorLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Which addresses a host lets its connectors connect to, where callers say what to connect to. */
export interface ConnectorEgress {
  /**
   * Throws, with the reason for people, where an address must not be connected to. `host` is what a caller named: a
   * name that was resolved to the address, or the address itself. Without a port, what holds for all of them.
   */
  assertAddress(host: string, target: { readonly address: string; readonly port?: number }): void;
}

/** What a connector needs from its host. */
export interface ConnectorContext {
  readonly storage: ConnectorStorage;
  /** Seals a secret at rest; it opens only with the same `purpose`. */
  seal(plain: Uint8Array, purpose: string): Uint8Array;
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  readonly clock: { now(): Date };
  /** A recorded time that an operator declares wrong: the clock is right although it is behind that time. */
  readonly acceptedClock?: Date | undefined;
  randomBytes(length: number): Uint8Array;
  readonly log: ConnectorLog;
  /**
   * Base URL under which the connector's CRLs, OCSP responses and CA certificates are published, for connectors on
   * their own port. Absent inside the platform, which fills its own URLs into the attributes that it sends.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Native libraries that the operator lets connectors load: paths by name. Loading one runs its code, so nothing that
   * a caller sends may name another.
   */
  readonly libraries?: Readonly<Record<string, string>> | undefined;
  /** Absent where the host lets a connector reach nothing that callers name. */
  readonly egress?: ConnectorEgress | undefined;
  /** Directories of this machine in which the operator lets connectors change files: paths by name. */
  readonly directories?: Readonly<Record<string, string>> | undefined;
  /** Directories of this machine whose files the operator lets connectors read: paths by name. */
  readonly readableDirectories?: Readonly<Record<string, string>> | undefined;
  /** Commands for a shell that the operator lets connectors run after a change of files, by name. */
  readonly reloadCommands?: Readonly<Record<string, string>> | undefined;
  /**
   * Addresses of a host, checked against what may be reached; only these may be connected to. Rejects in words what may
   * not. Absent on a port of its own, where the machine's firewall decides.
   */
  resolveHost?(name: string, port: number): Promise<readonly { readonly address: string }[]>;
  /** Keys in tokens that the host signs with. Absent where the host keeps none, as on a port of its own. */
  readonly tokenKeys?: TokenKeys | undefined;
}

/** What a handler gets in addition to the validated input. */
export interface CallFacts {
  /** Key under which a repeated call must yield the same result and no second effect. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the caller disconnects or the call times out. */
  readonly signal: AbortSignal;
  /**
   * Resolves when the caller has committed what it asks for, so that the call may have an effect that others can see,
   * e.g. a signature; rejects when it must have none. Only for operations that are begun before; what a handler
   * prepares and journals need not wait.
   */
  readonly committed?: Promise<void> | undefined;
}

/** A validated call. */
export type HandlerCall<Op extends Operation = Operation> = OperationInput<Op> & CallFacts;

/** What a handler returns: nothing if the operation has no body. */
export type HandlerAnswer<Op extends Operation> = OperationAnswer<Op> extends undefined ? void : OperationAnswer<Op>;

/** Carries out one operation; throws `ConnectorError` to refuse. */
export type Handler<Op extends Operation = Operation> = (
  call: HandlerCall<Op>,
) => HandlerAnswer<Op> | Promise<HandlerAnswer<Op>>;

/** A handler together with the operation it carries out. */
export interface Implementation {
  readonly operation: Operation;
  /** Accepts the input of exactly this operation; `never` lets handlers of different operations share a map. */
  readonly handle: (call: never) => unknown;
}

/** Handlers by operation id; made by `handlersOf`. */
export type Handlers = Readonly<Record<string, Implementation>>;

/** Handlers of some operations of a table, typed by them. */
export type HandlersOf<Table extends OperationTable> = { readonly [Name in keyof Table]?: Handler<Table[Name]> };

export interface ConnectorInstance {
  readonly handlers: Handlers;
  health?(): HealthDto | Promise<HealthDto>;
  /** Stops background work; running calls may still finish. */
  stop?(): void | Promise<void>;
}

/** An instance together with its declaration, from which the info response derives. Both transports use it. */
export interface RunningConnector extends ConnectorInstance {
  readonly connector: Connector;
}

/** Binds handlers to the operations of a table by name, and checks each against its operation's types. */
export function handlersOf<Table extends OperationTable>(table: Table, handlers: HandlersOf<Table>): Handlers {
  const bound: Record<string, Implementation> = {};
  for (const [name, handle] of Object.entries(handlers)) {
    const operation = table[name];
    // checked by the parameter's type
    if (operation && handle) bound[operation.id] = { operation, handle: handle as Implementation['handle'] };
  }
  return bound;
}
