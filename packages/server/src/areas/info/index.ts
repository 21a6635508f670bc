// Version, database and health of the platform. Owns: no table.
import { INTERFACE_VERSION, infoOperations, type ActuatorHealthDto } from '@signetry/contract';
import { AppError } from '../../kernel/errors.ts';
import type { FastifyInstance } from 'fastify';
import { routes } from '../../platform/http/routes.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { databaseVersion } from './store.ts';

/** The database counts as unavailable if it does not respond within this time. */
const PROBE_TIMEOUT_MS = 2_000;
/**
 * Maximum age of the last response over a separate connection. After an outage, the database is probed every second
 * over a new connection while the pooled connections are still being replaced.
 */
const ANSWERED_APART_MS = 3_000;

const UP: ActuatorHealthDto = { status: 'UP' };

const UNCACHED = { 'cache-control': 'no-store' } as const;

export interface InfoParts {
  readonly isReady: () => boolean;
  /** Returns what prevents this running node from issuing, e.g. its clock. */
  readonly findProblem: () => Promise<string | undefined>;
}

export function createInfoArea(platform: Platform, options: InfoParts): Area {
  const { database } = platform;

  const databaseResponds = async (): Promise<boolean> =>
    database.answeredApart(ANSWERED_APART_MS) ||
    Promise.race([
      databaseVersion(database).then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS, false).unref()),
    ]);

  /** Returns only if the platform is healthy: load balancers evaluate the response status. */
  async function assertReady(): Promise<ActuatorHealthDto> {
    const problem = await findObstacle();
    if (problem === undefined) return UP;
    throw new AppError('unavailable', { reason: problem });
  }

  async function findObstacle(): Promise<string | undefined> {
    if (!options.isReady() || !(await databaseResponds()))
      return 'the platform is starting or stopping, or its database does not accept writes';
    return options.findProblem();
  }

  return {
    routes: routes(infoOperations, {
      getInfo: async () => ({
        app: { name: 'Signetry', version: INTERFACE_VERSION },
        db: { system: 'PostgreSQL', version: await databaseVersion(database) },
      }),
      getHealth: assertReady,
      getHealthLiveness: () => UP,
      getHealthReadiness: assertReady,
    }),
    http(server: FastifyInstance) {
      server.get('/health/live', (_request, reply) => reply.headers(UNCACHED).send(UP));
      server.get('/health/ready', async (_request, reply) => {
        const message = await findObstacle();
        if (message === undefined) return reply.headers(UNCACHED).send(UP);
        return reply.status(503).headers(UNCACHED).send({ status: 'DOWN', message });
      });
    },
  };
}
