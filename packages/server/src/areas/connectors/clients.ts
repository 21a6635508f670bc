// Clients of connectors: they choose the transport, count calls and turn failed ones into refusals.
import { createHash } from 'node:crypto';
import type { ConnectorStatus, Operation, OperationRequest } from '@signetry/contract';
import type { Dispatcher } from 'undici';
import { AppError, notFound } from '../../kernel/errors.ts';
import { CONFIGURATION_TTL_MS, createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { authenticationOf, type AuthSettings, type AuthVault } from './authentication.ts';
import type { BuiltIns } from './built-ins.ts';
import { asAppError, CallFailure } from './call-failure.ts';
import { LONGEST_CALL_MS } from './call-rules.ts';
import { createHttpTransport } from './http-transport.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import type { FunctionGroup } from './info-answer.ts';
import * as store from './store.ts';
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

interface ClientParts {
  readonly platform: Platform;
  readonly builtIns: BuiltIns;
  readonly dispatchers: Dispatchers;
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(platform: Platform, areas: { readonly builtIns: BuiltIns; readonly vault: AuthVault }) {
  const { database, clock } = platform;
  const { builtIns, vault } = areas;
  const dispatchers = createDispatchers(platform);
  const parts: ClientParts = { platform, builtIns, dispatchers };

  const cache = createExpiringCache({
    clock,
    ttlMs: CONNECTION_TTL_MS,
    load: async (uuid: string) => {
      const connector = await store.findOne(database.executor, uuid);
      if (!connector) throw notFound('Connector', uuid);
      const { name, url, status, functionGroups } = connector;
      const facts: ConnectorFacts = { uuid, name, url, status, functionGroups };
      return { facts, client: clientFor(parts, { uuid, name, url, auth: vault.open(uuid, connector) }) };
    },
  });

  return {
    /** The client of a stored connector that may be used; refuses one that waits for approval. */
    async client(uuid: string): Promise<ConnectorClient> {
      const { facts, client } = await cache.get(uuid);
      if (facts.status !== 'waitingForApproval') return client;
      throw new AppError('invalid_state', {
        what: 'Connector',
        name: facts.name,
        state: 'waiting for approval',
        needed: 'an approved connector',
      });
    },
    /** The client whatever its status, for looking at a connector before it is approved. */
    clientToLookAt: async (uuid: string): Promise<ConnectorClient> => (await cache.get(uuid)).client,
    facts: async (uuid: string): Promise<ConnectorFacts> => (await cache.get(uuid)).facts,
    /** A client for a target that need not be stored. */
    clientFor: (target: Target): ConnectorClient => clientFor(parts, target),
    invalidate: (uuid: string): void => cache.invalidate(uuid),
    stop: async (): Promise<void> => {
      cache.invalidate();
      await dispatchers.destroy();
    },
  };
}

function clientFor(parts: ClientParts, target: Target): ConnectorClient {
  const { clock, metrics } = parts.platform;
  const transport = transportFor(parts, target);
  const { uuid, name } = target;
  return {
    uuid,
    name,
    async call(operation, request = {}, options = {}) {
      const startMs = clock.monotonicMs();
      const observe = (outcome: string) =>
        metrics.connectorCalls.observe({ operation: operation.id, outcome }, (clock.monotonicMs() - startMs) / 1000);
      try {
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

function transportFor(parts: ClientParts, { url, auth }: Target): Transport {
  const { egress, giveUp } = parts.platform;
  const { builtIns, dispatchers } = parts;
  if (builtIns.isBuiltIn(url)) {
    const running = builtIns.find(url);
    return running ? createInProcessTransport(running, giveUp) : unavailableBuiltIn;
  }
  const { headers, tls } = authenticationOf(auth);
  return createHttpTransport({ url, egress, dispatcher: dispatchers.of(tls), headers, giveUp });
}

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
  if (kind === 'notFound' || kind === 'rejected') log.debug(facts, 'a connector refused a call');
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
    const digest = createHash('sha256').update(tls.pfx ?? '').update(tls.passphrase ?? '').update('\0').update(tls.ca ?? '').digest('hex'); // prettier-ignore
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
