// Records that somebody came with a credential that is not good. Refused changes are recorded with their operation; this
// covers the calls that change nothing. Repetitions are left out, so that guessing does not fill the audit trail.
import { platformOperations, type Operation } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { requestContext } from './request-context.ts';

/** One record per caller and reason in this time. */
const SILENCE_MS = 60_000;
/** With more callers than this at once, records are left out rather than memory filled. */
const MAX_CALLERS = 500;

const recordedWithOperation: ReadonlySet<string> = new Set(
  Object.values<Operation>(platformOperations).flatMap(({ id, audit }) => (audit ? [id] : [])),
);

export type RefusedCredentials = ReturnType<typeof createRefusedCredentials>;

export function createRefusedCredentials({ clock }: Platform, parts: { readonly audit: AuditTrail }) {
  const silentUntil = new Map<string, number>();

  function isNews(key: string): boolean {
    const now = clock.monotonicMs();
    if ((silentUntil.get(key) ?? 0) > now) return false;
    for (const [known, until] of silentUntil) if (until <= now) silentUntil.delete(known);
    if (silentUntil.size >= MAX_CALLERS) return false;
    silentUntil.set(key, now + SILENCE_MS);
    return true;
  }

  return {
    async record(request: FastifyRequest, error: AppError): Promise<void> {
      const { operation } = request.routeOptions.config;
      if (operation !== undefined && recordedWithOperation.has(operation)) return;
      if (!isNews(`${request.ip} ${error.message}`)) return;
      const audit = { module: 'auth', resource: 'users', operation: 'authentication' } as const;
      await parts.audit.recordRefusal(requestContext(request, { audit }), error);
    },
  };
}
