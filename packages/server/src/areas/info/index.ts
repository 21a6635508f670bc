// What runs here and whether it is well: version, database, health. Owns no tables.
import { infoOperations, type ActuatorHealthDto } from '@signetry/contract';
import { AppError } from '../../kernel/errors.ts';
import type { FastifyInstance } from 'fastify';
import { routes } from '../../platform/http/routes.ts';
import type { Area, Platform } from '../../platform/platform.ts';

/** Version of the interface that clients switch their features by. */
export const INTERFACE_VERSION = '2.16.1';

/** A database that does not answer in this time is as good as away. */
const PROBE_TIMEOUT_MS = 2_000;

const UP: ActuatorHealthDto = { status: 'UP' };

const UNCACHED = { 'cache-control': 'no-store' } as const;

export function createInfoArea(platform: Platform, options: { readonly isReady: () => boolean }): Area {
  const { database } = platform;

  async function databaseVersion(): Promise<string> {
    const [row] = await database.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    return row?.version ?? '';
  }

  const databaseAnswers = (): Promise<boolean> =>
    Promise.race([
      databaseVersion().then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS, false).unref()),
    ]);

  /** Answers only when all is well: a load balancer looks at the status of the answer. */
  async function assertReady(): Promise<ActuatorHealthDto> {
    if (await ready()) return UP;
    throw new AppError('unavailable', { reason: 'the platform is starting or its database does not answer' });
  }

  const ready = async (): Promise<boolean> => options.isReady() && (await databaseAnswers());

  return {
    routes: routes(infoOperations, {
      getInfo: async () => ({
        app: { name: 'Signetry', version: INTERFACE_VERSION },
        db: { system: 'PostgreSQL', version: await databaseVersion() },
      }),
      getHealth: assertReady,
      getHealthLiveness: () => UP,
      getHealthReadiness: assertReady,
    }),
    http(server: FastifyInstance) {
      server.get('/health/live', (_request, reply) => reply.headers(UNCACHED).send(UP));
      server.get('/health/ready', async (_request, reply) => {
        const up = await ready();
        return reply
          .status(up ? 200 : 503)
          .headers(UNCACHED)
          .send({ status: up ? 'UP' : 'DOWN' });
      });
    },
  };
}
