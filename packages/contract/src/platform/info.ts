// What runs here, and whether it is well.
import { z } from 'zod';
import { operation } from '../operation.ts';

export const AppInfoDto = z.object({ name: z.string(), version: z.string() }).meta({ id: 'AppInfoDto' });
export type AppInfoDto = z.output<typeof AppInfoDto>;

export const DatabaseInfoDto = z.object({ system: z.string(), version: z.string() }).meta({ id: 'DatabaseInfoDto' });
export type DatabaseInfoDto = z.output<typeof DatabaseInfoDto>;

export const CoreInfoResponseDto = z
  .object({ app: AppInfoDto, db: DatabaseInfoDto })
  .meta({ id: 'CoreInfoResponseDto' });
export type CoreInfoResponseDto = z.output<typeof CoreInfoResponseDto>;

export const ActuatorHealthDto = z
  .object({ status: z.enum(['UNKNOWN', 'UP', 'DOWN', 'OUT_OF_SERVICE']) })
  .meta({ id: 'ActuatorHealthDto' });
export type ActuatorHealthDto = z.output<typeof ActuatorHealthDto>;

const tag = 'Info';

export const infoOperations = {
  getInfo: operation({
    id: 'getInfo',
    summary: 'Get information about the running platform',
    tag,
    method: 'GET',
    path: '/v1/info',
    success: { status: 200, body: CoreInfoResponseDto },
    errors: [400, 401, 403, 500],
    access: 'authenticated',
  }),
  getHealthLiveness: operation({
    id: 'getHealthLiveness',
    summary: 'Health liveness check endpoint',
    tag,
    method: 'GET',
    path: '/v1/health/liveness',
    success: { status: 200, body: ActuatorHealthDto },
    errors: [400, 500],
    access: 'public',
  }),
  getHealthReadiness: operation({
    id: 'getHealthReadiness',
    summary: 'Health readiness check endpoint',
    tag,
    method: 'GET',
    path: '/v1/health/readiness',
    success: { status: 200, body: ActuatorHealthDto },
    errors: [400, 500],
    access: 'public',
  }),
  /** Not part of the published interface, but asked for by existing deployments. */
  getHealth: operation({
    id: 'getHealth',
    summary: 'Health check endpoint',
    tag,
    method: 'GET',
    path: '/v1/health',
    success: { status: 200, body: ActuatorHealthDto },
    errors: [400, 500],
    access: 'public',
  }),
};
