// Records sign-ins that failed because the link was invalid or an identity provider did not confirm them. Like any
// invalid credential, they are aggregated by address and minute, and counted against the address.
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { requestContext } from '../gatekeeper/request-context.ts';

export interface RejectedSignIn {
  readonly operation: 'login' | 'authentication';
  /** For the audit record; the real path can contain a secret. */
  readonly path: string;
  readonly message: string;
}

export const recordRejectedSignIns =
  ({ limits }: Pick<Platform, 'limits'>, audit: Pick<AuditTrail, 'recordRefusalOf'>) =>
  /** Throws `too_many_requests` if too many sign-ins from the address have failed. */
  async (request: FastifyRequest, { operation, path, message }: RejectedSignIn): Promise<void> => {
    const address = networkOf(request.ip);
    const context = requestContext(request, { path, audit: { module: 'auth', resource: 'users', operation } });
    await audit.recordRefusalOf(address, context, { result: 'failure', message });
    await limits.failedSignIns.take(address);
  };
