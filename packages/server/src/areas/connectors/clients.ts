// Connector clients: they select the transport, count calls and convert failures to errors.
import { createHash } from 'node:crypto';
import type { ConnectorStatus, Operation, OperationRequest } from '@signetry/contract';
import type { Dispatcher } from 'undici';
import { AppError, notFound } from '../../kernel/errors.ts';
import { chance } from '../../kernel/chance.ts';
import { CONFIGURATION_TTL_MS, createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { authenticationOf, type AuthSettings, type AuthVault } from './authentication.ts';
import type { BuiltIns } from './built-ins.ts';
import { asAppError, CallFailure } from './call-failure.ts';
import { LONGEST_CALL_MS } from './call-rules.ts';
import { createCircuits, type CircuitListener, type Circuits, type CircuitView } from './circuit.ts';
import { createHttpTransport } from './http-transport.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import type { FunctionGroup } from './info-response.ts';
import { isUnlisted } from './listed-operations.ts';
import * as store from './store.ts';
import type { ConnectorTokens } from './tokens.ts';
import type { CallOptions, ConnectorResponse, Transport } from './transport.ts';

/**
 * Connector facts are cached inside authority facts, which in turn are cached inside RA profile facts. Three times this
 * TTL is still within the time after which a change must be visible on every node.
 */
export const CONNECTION_TTL_MS = Math.floor(CONFIGURATION_TTL_MS / 3);

/** Calls the operations of one connector. Throws `AppError`s; see `callOutcome` for what is known about the effect. */
export interface ConnectorClient {
  readonly uuid: string;
  readonly name: string;
  call<Op extends Operation>(
    operation: Op,
    request?: OperationRequest<Op>,
    options?: CallOptions,
  ): Promise<ConnectorResponse<Op>>;
}

/** Facts about a connector that are known without calling it. */
export interface ConnectorFacts {
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
  /** Whether the connector runs in this process and stores its data in the platform's database. */
  readonly isBuiltIn: boolean;
  readonly status: ConnectorStatus;
  readonly functionGroups: readonly FunctionGroup[];
}

/** A connector's URL and authentication settings. */
export interface Target {
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
  readonly auth: AuthSettings;
}

export interface ClientAreas {
  readonly builtIns: BuiltIns;
  readonly vault: AuthVault;
  readonly tokens: Pick<ConnectorTokens, 'tokenFor'>;
  readonly callTimeoutMs?: number | undefined;
}

interface ClientParts extends ClientAreas {
  readonly platform: Platform;
  readonly dispatchers: Dispatchers;
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(platform: Platform, areas: ClientAreas) {
  const { database, clock } = platform;
  const { vault } = areas;
  const dispatchers = createDispatchers(platform);
  const parts: ClientParts = { platform, dispatchers, ...areas };
  const circuits = createCircuits({ clock, chance, onChange: reportCircuit(platform) });

  const cache = createExpiringCache({
    clock,
    ttlMs: CONNECTION_TTL_MS,
    load: async (uuid: string) => {
      const connector = await store.findOne(database.executor, uuid);
      if (!connector) throw notFound('Connector', uuid);
      const { name, url, status, functionGroups } = connector;
      const isBuiltIn = parts.builtIns.isBuiltIn(url);
      const facts: ConnectorFacts = { uuid, name, url, isBuiltIn, status, functionGroups };
      const target = { uuid, name, url, auth: vault.open(uuid, connector) };
      const client = (isLook: boolean) => clientFor(parts, target, { circuits, functionGroups, isLook });
      return { facts, client: client(false), look: client(true) };
    },
  });

  /**
   * Returns the cached entry of a connector that can be called: until it is approved, it receives neither calls nor
   * secrets.
   */
  async function callable(uuid: string) {
    const known = await cache.get(uuid);
    assertApproved(known.facts);
    return known;
  }

  return {
    /** Returns the client for a stored connector; rejects a connector that is waiting for approval. */
    client: async (uuid: string): Promise<ConnectorClient> => (await callable(uuid)).client,
    /** Returns the client for probing a connector, whose calls are sent even while other calls are rejected. */
    clientToLookAt: async (uuid: string): Promise<ConnectorClient> => (await callable(uuid)).look,
    facts: async (uuid: string): Promise<ConnectorFacts> => (await cache.get(uuid)).facts,
    /** Returns a client for a target, which does not have to be a stored connector. */
    clientFor: (target: Target): ConnectorClient => clientFor(parts, target),
    circuit: (uuid: string): CircuitView => circuits.view(uuid),
    /** Reloads the connector when it is next called. */
    invalidate: (uuid: string): void => cache.invalidate(uuid),
    /**
     * Like `invalidate`, but also discards the state learned from calls. For connectors that were removed or have a new
     * URL.
     */
    forget(uuid: string): void {
      cache.invalidate(uuid);
      circuits.forget(uuid);
    },
    stop: async (): Promise<void> => {
      cache.invalidate();
      await dispatchers.destroy();
    },
  };
}

/** Rejects a connector that is waiting for approval. */
export function assertApproved({ name, status }: Pick<ConnectorFacts, 'name' | 'status'>): void {
  if (status !== 'waitingForApproval') return;
  throw new AppError('invalid_state', {
    what: 'Connector',
    name,
    state: 'waiting for approval',
    needed: 'an approved connector',
  });
}

/** Facts about a stored connector. */
interface StoredFacts {
  readonly circuits: Circuits;
  readonly functionGroups: readonly FunctionGroup[];
  /** Whether calls are sent even if the circuit is open. */
  readonly isLook: boolean;
}

/**
 * Returns a client. For a stored connector, the client is protected by a circuit breaker and calls only endpoints that
 * the connector lists.
 */
function clientFor(parts: ClientParts, target: Target, stored?: StoredFacts): ConnectorClient {
  const { clock, metrics } = parts.platform;
  const { uuid, name } = target;
  const direct = transportFor(parts, target);
  const isRemote = !parts.builtIns.isBuiltIn(target.url);
  const { circuits, functionGroups = [], isLook = false } = stored ?? {};
  /** The registered endpoints do not change during the lifetime of a client. */
  const unlisted = new WeakMap<Operation, boolean>();
  function isNotOffered(operation: Operation): boolean {
    if (!stored) return false;
    const answer = unlisted.get(operation) ?? isUnlisted(operation, functionGroups);
    unlisted.set(operation, answer);
    return answer;
  }
  const transport = circuits && isRemote ? circuits.guard(direct, { uuid, name, isLook }) : direct;
  return {
    uuid,
    name,
    async call(operation, request = {}, options = {}) {
      const startMs = clock.monotonicMs();
      const observe = (outcome: string) =>
        metrics.connectorCalls.observe({ operation: operation.id, outcome }, (clock.monotonicMs() - startMs) / 1000);
      try {
        if (isNotOffered(operation)) throw notOfferedFailure(operation);
        const answer = await transport.call(operation, request, options);
        observe('ok');
        return answer;
      } catch (error) {
        observe(error instanceof CallFailure ? error.kind : 'fault');
        throw callerErrorOf(parts.platform, error, { target, operation, request });
      }
    },
  };
}

const notOfferedFailure = ({ summary, method, path }: Operation): CallFailure =>
  new CallFailure(
    'notOffered',
    `does not offer "${summary}" (${method} ${path}): it did not list that endpoint when it was registered. If it offers it now, reconnect the connector.`,
    { outcome: 'notCarriedOut' },
  );

function transportFor(parts: ClientParts, { url, auth }: Target): Transport {
  const { egress, giveUp } = parts.platform;
  const { builtIns, dispatchers, tokens, callTimeoutMs } = parts;
  if (builtIns.isBuiltIn(url)) {
    const running = builtIns.find(url);
    return running ? createInProcessTransport(running, giveUp) : unavailableBuiltIn;
  }
  const { headers: fixed, tls } = authenticationOf(auth);
  const headers =
    auth.authType === 'jwt'
      ? async (origin: string) => ({ authorization: `Bearer ${await tokens.tokenFor(origin)}` })
      : () => fixed;
  return createHttpTransport({ url, egress, dispatcher: dispatchers.of(tls), headers, giveUp, callTimeoutMs });
}

/** Each change is logged once; the metric shows which connectors are currently suspended. */
const reportCircuit =
  ({ log, metrics }: Platform): CircuitListener =>
  (connector, { isOpen, failures }) => {
    if (isOpen) {
      metrics.openCircuits.set({ connector }, 1);
      log.warn({ connector, failures }, 'connector calls suspended after repeated failures');
      return;
    }
    metrics.openCircuits.remove({ connector });
    log.info({ connector }, 'connector calls resumed');
  };

/** Logs a failed call and returns the error for its caller. */
function callerErrorOf(
  { log }: Platform,
  error: unknown,
  { target, operation, request }: { target: Target; operation: Operation; request: OperationRequest<Operation> },
): unknown {
  if (!(error instanceof CallFailure)) return error;
  const { kind, outcome, status, remoteMessage, message } = error;
  const facts = {
    connector: target.name,
    operation: operation.id,
    kind,
    outcome,
    status,
    remoteMessage,
    reason: message,
  };
  if (error.isGivenUp) log.debug(facts, 'a call to a connector was given up by its caller');
  else if (kind === 'notFound' || kind === 'notOffered' || kind === 'rejected')
    log.debug(facts, 'a connector rejected a call');
  // The cause matters for an unexpected error; otherwise it only repeats the logged facts.
  else log.warn(kind === 'failed' ? { ...facts, cause: error.cause } : facts, 'a call to a connector failed');
  return asAppError(error, { connector: target.name, objectId: objectOf(operation, request) });
}

/** Returns the object that a call concerns: the last parameter in its path, e.g. the key of a token. */
function objectOf({ path }: Operation, request: OperationRequest<Operation>): string {
  // The operation's schema defines an object of scalars.
  const params = (request.params ?? {}) as Record<string, unknown>;
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  return String((name && params[name]) ?? path);
}

const unavailableBuiltIn: Transport = {
  call: () =>
    Promise.reject(
      new CallFailure('unreachable', 'this version of the platform does not include it', { outcome: 'notCarriedOut' }),
    ),
};

type Dispatchers = ReturnType<typeof createDispatchers>;

/** Connection pools: one for all connectors, and one for each client certificate. */
function createDispatchers({ egress }: Platform) {
  const totalTimeoutMs = LONGEST_CALL_MS;
  const plain = egress.dispatcher({ totalTimeoutMs });
  /** Keyed by a digest of the TLS settings, so that a pool lives as long as its settings. */
  const withTls = new Map<string, Dispatcher>();

  function of(tls: ReturnType<typeof authenticationOf>['tls']): Dispatcher {
    if (tls === undefined) return plain;
    const digest = createHash('sha256')
      .update(tls.pfx ?? '')
      .update(tls.passphrase ?? '')
      .update('\0')
      .update(tls.ca ?? '')
      .digest('hex');
    const dispatcher = withTls.get(digest) ?? egress.dispatcher({ tls, totalTimeoutMs });
    withTls.set(digest, dispatcher);
    return dispatcher;
  }

  return {
    of,
    destroy: async (): Promise<void> => {
      await Promise.all([plain, ...withTls.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
