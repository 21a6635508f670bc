// For ACME tests only: platform nodes that share a database, with a real authority and without listeners. Background
// work of a node starts when a test starts its areas.
import type { Database } from '@signetry/server/database';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import { createAreas, type Areas } from '../../../app/areas.ts';
import { registerBuiltIns, ensureFirstObjects } from '../../../app/first-start.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createSealer, newSealingKey } from '../../../platform/crypto/sealing.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  createValidationWork,
  type ValidationSettings,
  type ValidationWork,
} from '../authorizations/validation-work.ts';
import { createOrderIssuer } from '../orders/issue-order.ts';
import { createRequestedSubject } from '../orders/requested-subject.ts';
import { createRequestedValidity } from '../orders/requested-validity.ts';
import { createUnfinishedWork, type UnfinishedWorkParts } from '../unfinished-work.ts';
import { createAccountUrlsOf } from '../model/account-urls.ts';
import { createChallengeValidator } from '../validation/validate-challenge.ts';

const DIRECTORY_BASE = 'https://acme.test';

export interface AcmeNodes {
  readonly database: Database;
  readonly clock: FakeClock;
  /** Starts a new node, or restarts one. */
  start(nodeId?: string): Promise<AcmeNode>;
  close(): Promise<void>;
}

export interface AcmeNode {
  readonly nodeId: string;
  readonly areas: Areas;
  /** Creates a validation worker that the rest of the node does not know. */
  validationWork(): ValidationWork;
  /** Creates the sweep as it starts with the node; a test can intercept calls to the certificates. */
  unfinishedWork(overrides?: Partial<Pick<UnfinishedWorkParts, 'certificates'>>): AcmeSweep;
}

export interface AcmeSweep {
  /** Runs one round; returns how many items it took over, after everything is stored. */
  runOnce(): Promise<number>;
}

const NOWHERE = 'https://intune.invalid';

export async function acmeNodes(validation: Omit<ValidationSettings, 'retryDelaysMs'>): Promise<AcmeNodes> {
  const database = await testDatabase();
  const clock = createFakeClock();
  const sealer = createSealer([newSealingKey()]);
  const started: Areas[] = [];
  const settings = { ...validation, retryDelaysMs: [] };
  return {
    database,
    clock,
    async start(nodeId = newUuid()) {
      const platform = testPlatform(database, { clock, sealer, nodeId });
      const areas = createAreas(platform, {
        issueWaitMs: 8_000,
        isReady: () => true,
        trustedProxies: [],
        proxyCertificates: [],
        intuneAddresses: { loginUrl: NOWHERE, graphUrl: NOWHERE, resourceUrl: NOWHERE },
        scepBase: () => DIRECTORY_BASE,
        acme: { directoryBase: () => DIRECTORY_BASE, linkOrigin: (origin) => origin, settings },
      });
      await ensureFirstObjects(platform, areas, await registerBuiltIns(areas));
      started.push(areas);
      const validationWork = () =>
        createValidationWork({ platform, audit: areas.audit, validate: createChallengeValidator(platform), settings });
      const unfinishedWork: AcmeNode['unfinishedWork'] = (overrides = {}) =>
        createSweep(platform, { areas, validation: validationWork(), overrides });
      return { nodeId, areas, validationWork, unfinishedWork };
    },
    async close() {
      for (const { validation, issuing, inventory, connectors } of started) {
        await inventory.stop?.();
        await issuing.stop?.();
        await validation.stop?.();
        await connectors.stop?.();
      }
    },
  };
}

function createSweep(
  platform: Platform,
  facts: {
    readonly areas: Areas;
    readonly validation: ValidationWork;
    readonly overrides: Partial<Pick<UnfinishedWorkParts, 'certificates'>>;
  },
): AcmeSweep {
  const { areas, validation, overrides } = facts;
  const { certificates = areas.issuing.protocols } = overrides;
  const issuer = createOrderIssuer({
    platform,
    certificates,
    requestedValidity: createRequestedValidity({ raProfiles: areas.raProfiles }),
    requestedSubject: createRequestedSubject({ raProfiles: areas.raProfiles }),
  });
  const work = createUnfinishedWork({
    platform,
    profiles: areas.acmeProfiles.served,
    certificates,
    issuer,
    validation,
    addressesOf: createAccountUrlsOf(() => DIRECTORY_BASE),
  });
  return {
    async runOnce() {
      const taken = await work.runOnce();
      await issuer.drain();
      return taken;
    },
  };
}
