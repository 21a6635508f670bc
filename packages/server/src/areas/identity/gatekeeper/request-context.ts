// Context for a request outside the API operations, for its audit record.
import type { AuditFacts } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import { anonymous, type RequestContext } from '../../../kernel/actor.ts';
import { originOf } from './network.ts';

export interface ContextFacts {
  /** Path for the audit record, if the real one must not be revealed. */
  readonly path?: string;
  readonly audit?: AuditFacts;
}

export function requestContext(request: FastifyRequest, facts: ContextFacts = {}): RequestContext {
  return {
    actor: anonymous,
    requestId: request.id,
    audit: facts.audit,
    signal: request.signal,
    origin: originOf(request),
    source: {
      method: request.method,
      path: facts.path ?? request.url,
      contentType: request.headers['content-type'] ?? null,
      ipAddress: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    },
  };
}
