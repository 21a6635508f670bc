// Clients of connectors: they choose the transport, count calls and turn failed ones into refusals.
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
import type { FunctionGroup } from './info-answer.ts';
import { isUnlisted } from './listed-operations.ts';
import * as store from './store.ts';
import type { ConnectorTokens } from './tokens.ts';
import type { CallOptions, ConnectorAnswer, Transport } from './transport.ts';

/**
 * Facts about connectors are remembered inside those about authorities, and these inside those about RA profiles. Three
 * times this is still within the time after which a change must be visible on every node.
 */
export const CONNECTION_TTL_MS = Math.floor(CONFIGURATION_TTL_MS / 3);

/**
 * Calls the operations of one connector. Refusals are `AppError`s; see `callOutcome` for what is known of the effect.
 */
export interface ConnectorClient {
  readonly uuid: string;
  readonly name: string;
  call<Op extends Operation>(
    operation: Op,
    request?: OperationRequest<Op>,
    options?: CallOptions,
  ): Promise<ConnectorAnswer<Op>>;
}

/** What is known about a connector without calling it. */
export interface ConnectorFacts {
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
  /** It runs in this process and keeps what it writes in our database. */
  readonly isBuiltIn: boolean;
  readonly status: ConnectorStatus;
  readonly functionGroups: readonly FunctionGroup[];
}

/** Where and how a connector is reached. */
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

  /** What is kept of a connector that may be called: before somebody approves it, it gets neither calls nor secrets. */
  async function callable(uuid: string) {
    const known = await cache.get(uuid);
    assertApproved(known.facts);
    return known;
  }

  return {
    /** The client of a stored connector; refuses one that waits for approval. */
    client: async (uuid: string): Promise<ConnectorClient> => (await callable(uuid)).client,
    /** The client for finding out how the connector is: its calls are made even while others are refused. */
    clientToLookAt: async (uuid: string): Promise<ConnectorClient> => (await callable(uuid)).look,
    facts: async (uuid: string): Promise<ConnectorFacts> => (await cache.get(uuid)).facts,
    /** A client for a target that need not be stored. */
    clientFor: (target: Target): ConnectorClient => clientFor(parts, target),
    circuit: (uuid: string): CircuitView => circuits.view(uuid),
    /** Reads the connector anew at its next call. */
    invalidate: (uuid: string): void => cache.invalidate(uuid),
    /** As `invalidate`, and what was learnt from its calls is forgotten: it is gone, or at another address. */
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

/** Refuses a connector that waits for approval. */
export function assertApproved({ name, status }: Pick<ConnectorFacts, 'name' | 'status'>): void {
  if (status !== 'waitingForApproval') return;
  throw new AppError('invalid_state', {
    what: 'Connector',
    name,
    state: 'waiting for approval',
    needed: 'an approved connector',
  });
}

/** What is known of a stored connector. */
interface Stored {
  readonly circuits: Circuits;
  readonly functionGroups: readonly FunctionGroup[];
  /** Calls pass an open circuit. */
  readonly isLook: boolean;
}

/** A client; that of a stored connector is behind its circuit and calls what the connector listed. */
function clientFor(parts: ClientParts, target: Target, stored?: Stored): ConnectorClient {
  const { clock, metrics } = parts.platform;
  const { uuid, name } = target;
  const direct = transportFor(parts, target);
  const isRemote = !parts.builtIns.isBuiltIn(target.url);
  const { circuits, functionGroups = [], isLook = false } = stored ?? {};
  /** What was registered does not change while a client lives. */
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
        if (isNotOffered(operation)) throw notOffered(operation);
        const answer = await transport.call(operation, request, options);
        observe('ok');
        return answer;
      } catch (error) {
        observe(error instanceof CallFailure ? error.kind : 'fault');
        throw refusalOf(parts.platform, error, { target, operation, request });
      }
    },
  };
}

const notOffered = ({ summary, method, path }: Operation): CallFailure =>
  new CallFailure(
    'notOffered',
    `does not offer "${summary}" (${method} ${path}): it did not list that endpoint when it was registered. If it has it by now, reconnect the connector.`,
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

/** A change is logged once; the metric shows which connectors are left alone now. */
const reportCircuit =
  ({ log, metrics }: Platform): CircuitListener =>
  (connector, { isOpen, failures }) => {
    if (isOpen) {
      metrics.openCircuits.set({ connector }, 1);
      log.warn({ connector, failures }, 'calls to a connector are refused for a while: it failed again and again');
      return;
    }
    metrics.openCircuits.remove({ connector });
    log.info({ connector }, 'calls to a connector are made again');
  };

/** The refusal that callers get for a failed call, after it was logged. */
function refusalOf(
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
  if (kind === 'notFound' || kind === 'notOffered' || kind === 'rejected')
    log.debug(facts, 'a connector refused a call');
  // The cause matters for an unexpected error; for a refusal it only repeats what is logged anyway.
  else log.warn(kind === 'failed' ? { ...facts, cause: error.cause } : facts, 'a call to a connector failed');
  return asAppError(error, { connector: target.name, objectId: objectOf(operation, request) });
}

/** What a call is about: the last parameter of its path, e.g. a key of a token. */
function objectOf({ path }: Operation, request: OperationRequest<Operation>): string {
  const params = (request.params ?? {}) as Record<string, unknown>; // an object of scalars by the operation's schema
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  return String((name && params[name]) ?? path);
}

const unavailableBuiltIn: Transport = {
  call: () =>
    Promise.reject(new CallFailure('unreachable', 'it is not part of this program', { outcome: 'notCarriedOut' })),
};

type Dispatchers = ReturnType<typeof createDispatchers>;

/** Pools of connections: one for all connectors, and one for each client certificate. */
function createDispatchers({ egress }: Platform) {
  const totalTimeoutMs = LONGEST_CALL_MS;
  const plain = egress.dispatcher({ totalTimeoutMs });
  /** By the digest of their settings, so that they live as long as these. */
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
