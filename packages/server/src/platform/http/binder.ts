// Binds operations to Fastify: authenticate, authorize, validate, handle, serialize. Depends on the contract, not on
// the domain: the functions for authentication and authorization are passed in.
import {
  errorsOf,
  isOpenValue,
  namesObjectsInBody,
  type Operation,
  withoutEmptyOwnValues,
  type OperationInput,
} from '@signetry/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor, StreamingContext, RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { findOutage } from '../database/database-errors.ts';
import {
  FILE_BODY_LIMIT_BYTES,
  FILE_BODY_VALUE_LIMIT,
  JSON_BODY_LIMIT_BYTES,
  JSON_VALUE_LIMIT,
  parseJsonBody,
} from './json-body.ts';
import { parseInput } from './parse-input.ts';
import { createOffLoopParser, OFF_LOOP_FROM_BYTES } from './parse-off-loop.ts';
import { asAppError, dropUnsendableHeaders, isFault, renderRestError } from './render-error.ts';
import { serializerOf } from './reply-serializer.ts';
import { isHandlerResponse, routedUrl, type Route } from './routes.ts';
import { isObject } from '../../kernel/is-object.ts';

export interface Gatekeeper {
  /** Authenticates the caller: returns the anonymous actor if there is no credential; rejects an invalid one. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Authenticates a request again during a long-lived response. This does not count as session activity. */
  authenticateAgain(request: FastifyRequest): Promise<Actor>;
  /**
   * Rejects the call unless the actor may call the operation with these path parameters. Called before the body is
   * read; if the body names the objects, permission on any object is sufficient.
   */
  authorize(
    actor: Actor,
    operation: Operation,
    call: { params: Readonly<Record<string, string>>; request: FastifyRequest },
  ): Promise<void>;
  /**
   * Rejects the call unless the actor may call the operation for the objects named in the body. The body has not been
   * validated yet.
   */
  authorizeObjects(
    actor: Actor,
    operation: Operation,
    call: { params: Readonly<Record<string, string>>; body: unknown },
  ): Promise<void>;
  /** Returns the part of the response that the actor may see, if the operation lists objects. */
  visible(actor: Actor, operation: Operation, answer: unknown): unknown;
}

export interface BinderOptions {
  readonly gatekeeper: Gatekeeper;
  /**
   * Called for every failed call of a state-changing operation and for every rejected call. Its promise never rejects.
   */
  readonly onRefusal: (refused: { context: RequestContext; operation: Operation; error: AppError }) => Promise<void>;
  /** Called for every successful read operation. */
  readonly onRead?: (read: { context: RequestContext; operation: Operation; answer: unknown }) => void;
  readonly onFault: (error: AppError, facts: { requestId: string; operation: string }) => void;
  /** Whether every response is checked against the contract; used only in tests, because of the cost. */
  readonly checkReplies: boolean;
}

export function bindRoutes(server: FastifyInstance, list: readonly Route[], options: BinderOptions): void {
  // Other media types reach the outer server's parser; this scope accepts only JSON.
  const parseOffLoop = createOffLoopParser();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer; // Guaranteed by `parseAs`.
    const takesFiles = request.routeOptions.bodyLimit > JSON_BODY_LIMIT_BYTES;
    const values = takesFiles ? FILE_BODY_VALUE_LIMIT : JSON_VALUE_LIMIT;
    if (bytes.length > OFF_LOOP_FROM_BYTES) {
      parseOffLoop({ bytes, values }).then((value) => done(null, value), done);
      return;
    }
    try {
      done(null, parseJsonBody(bytes, { values }));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  for (const route of list) bindRoute(server, route, options);
}

function bindRoute(server: FastifyInstance, route: Route, options: BinderOptions): void {
  const { operation } = route;
  const answersJson = operation.success.body !== undefined && operation.success.media === undefined;
  server.route({
    method: operation.method,
    url: routedUrl(operation.path),
    bodyLimit: operation.largeBody ? FILE_BODY_LIMIT_BYTES : JSON_BODY_LIMIT_BYTES,
    config: { operation: operation.id },
    errorHandler: (error, request, reply) => rejectCall(error, { request, reply, operation, options }),
    handler: async (request, reply) => {
      const context = {
        ...contextOf(request, { reply, operation }),
        lasting: streamingContextOf(request, { operation, options }),
      };
      if (namesObjectsInBody(operation)) {
        const { body } = request;
        await options.gatekeeper.authorizeObjects(context.actor, operation, { params: paramsOf(request), body });
      }
      await fillOwnValues(route, request);
      const input = { ...parseInput(operation, request), context };
      // The operation's own schemas have parsed the input.
      const result = await route.handle(input as Parameters<Route['handle']>[0]);
      const [whole, headers] = isHandlerResponse(result) ? [result.body, result.headers] : [result, {}];
      const body = options.gatekeeper.visible(context.actor, operation, whole);
      if (operation.read) options.onRead?.({ context, operation, answer: body });
      reply.status(operation.success.status).headers(headers);
      if (operation.success.media) return reply.type(operation.success.media).send(body);
      if (!answersJson) return reply.send();
      if (options.checkReplies) checkReply(operation, body);
      return reply.type('application/json; charset=utf-8').send(serializerOf(operation)(body));
    },
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      request.actor = await options.gatekeeper.authenticate(request);
      await options.gatekeeper.authorize(request.actor, operation, { params: paramsOf(request), request });
    },
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the binder before the request is used. */
    actor: Actor;
  }
  interface FastifyContextConfig {
    /** Operation ID, used as the metrics label. */
    operation?: string;
    /** Media type of request bodies, for error messages; default: JSON. */
    accepts?: string;
  }
}

async function rejectCall(
  cause: unknown,
  call: { request: FastifyRequest; reply: FastifyReply; operation: Operation; options: BinderOptions },
): Promise<void> {
  const { request, reply, operation, options } = call;
  const error = asAppError(cause, request);
  if (isFault(error)) options.onFault(error, { requestId: request.id, operation: operation.id });
  // The caller does not have to wait for a record that the database cannot accept now.
  const recorded = options.onRefusal({ context: contextOf(request, { reply, operation }), operation, error });
  if (!findOutage(error)) await recorded;
  // A list cannot contain the identifier of an object that was created nevertheless.
  const documented = error.objectUuid === undefined ? errorsOf(operation) : operation.errors;
  const { status, headers, body } = renderRestError(error, documented);
  dropUnsendableHeaders(reply);
  await reply.status(status).headers(headers).send(JSON.stringify(body));
}

// Path parameters are strings.
const paramsOf = (request: FastifyRequest) => (request.params ?? {}) as Record<string, string>;

/** Returns the context for use cases. */
function contextOf(
  request: FastifyRequest,
  { reply, operation }: { readonly reply: FastifyReply; readonly operation: Operation },
): RequestContext {
  return {
    actor: request.actor,
    requestId: request.id,
    audit: operation.audit,
    read: operation.read,
    parameters: { params: paramsOf(request), query: request.query, body: request.body },
    signal: disconnectSignal(reply),
    origin: `${request.protocol}://${request.host}`,
    source: {
      method: request.method,
      path: request.url,
      contentType: request.headers['content-type'] ?? null,
      ipAddress: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    },
  };
}

function streamingContextOf(
  request: FastifyRequest,
  { operation, options: { gatekeeper } }: { readonly operation: Operation; readonly options: BinderOptions },
): StreamingContext {
  const id = request.headers['last-event-id'];
  return {
    lastEventId: typeof id === 'string' ? id : undefined,
    again: async () => {
      const actor = await gatekeeper.authenticateAgain(request);
      await gatekeeper.authorize(actor, operation, { params: paramsOf(request), request });
      return actor;
    },
  };
}

/**
 * Returns a signal that aborts if the client disconnects before the response is complete. Fastify's `request.signal`
 * also aborts once the body has been read.
 */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function checkReply(operation: Operation, body: unknown): void {
  const checked = operation.success.body?.safeParse(body);
  // Unlisted values of open enumerations were passed on by a connector.
  if (checked && !checked.success && !checked.error.issues.every(isOpenValue)) {
    throw new Error(`The response of ${operation.id} violates the contract: ${z.prettifyError(checked.error)}`);
  }
}

/**
 * Replaces empty members of updates by the object's own values, before the request is parsed. Called after the
 * permission check. Parsing reports the members that remain empty.
 */
async function fillOwnValues({ operation, ownValues }: Route, request: FastifyRequest): Promise<void> {
  const { body, required } = withoutEmptyOwnValues(operation, request.body);
  request.body = body;
  if (!ownValues || required.length === 0 || !isObject(body)) return;
  const params = operation.params?.safeParse(request.params);
  if (!params?.success) return;
  // The operation's schema has determined the type.
  const own = await ownValues(params.data as OperationInput<Operation>['params']);
  const filled = required.flatMap((name) => (own[name] ? [[name, own[name]] as const] : []));
  request.body = { ...body, ...Object.fromEntries(filled) };
}
