// Records invalid credentials and limits how many one address can present. Rejected changes are recorded with their
// operation; this covers requests that change nothing.
import { platformOperations, type Operation } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { requestContext } from './request-context.ts';

const recordedWithOperation: ReadonlySet<string> = new Set(
  Object.values<Operation>(platformOperations).flatMap(({ id, audit }) => (audit ? [id] : [])),
);

export type RejectedCredentials = ReturnType<typeof createRejectedCredentials>;

export function createRejectedCredentials({ limits }: Platform, parts: { readonly audit: AuditTrail }) {
  return {
    /** Throws `too_many_requests` if the address has presented too many invalid credentials. */
    async record(request: FastifyRequest, error: AppError): Promise<void> {
      const { operation } = request.routeOptions.config;
      if (operation === undefined || !recordedWithOperation.has(operation)) {
        const audit = { module: 'auth', resource: 'users', operation: 'authentication' } as const;
        await parts.audit.recordRefusal(requestContext(request, { audit }), error);
      }
      await limits.failedSignIns.take(networkOf(request.ip));
    },
  };
}
