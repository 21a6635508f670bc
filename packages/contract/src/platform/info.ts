// Version and health of the platform.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';

/** Version of the interface. Clients use it to decide which features to enable. */
export const INTERFACE_VERSION = '2.16.1';

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

export const infoOperations = operations(
  { tag: 'Info', errors: [400, 500] },
  {
    getInfo: {
      route: 'GET /v1/info',
      summary: 'Get information about the running platform',
      answer: CoreInfoResponseDto,
      errors: plainErrors,
      access: 'authenticated',
    },
    getHealthLiveness: {
      route: 'GET /v1/health/liveness',
      summary: 'Health liveness check endpoint',
      answer: ActuatorHealthDto,
      access: 'public',
    },
    getHealthReadiness: {
      route: 'GET /v1/health/readiness',
      summary: 'Health readiness check endpoint',
      answer: ActuatorHealthDto,
      access: 'public',
    },
    /** Not part of the published interface, but used by existing deployments. */
    getHealth: {
      route: 'GET /v1/health',
      summary: 'Health check endpoint',
      answer: ActuatorHealthDto,
      access: 'public',
    },
  },
);
