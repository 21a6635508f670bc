// Issuance and revocation over REST.
import { faultPointNames } from '../../packages/server/src/kernel/fault-points.ts';
import { checkDatabase } from './check-database.ts';
import { checkInterface } from './check-interface.ts';
import { Evidence } from './evidence.ts';
import { connect, findProfile, runLoad } from './load.ts';
import { missedFaults, plantedFaults } from './planted.ts';
import type { Suite } from './suite.ts';

export function createRestSuite(): Suite {
  const evidence = new Evidence();
  return {
    name: 'rest',
    args: [],
    points: faultPointNames.filter((name) => !name.startsWith('acme.')),
    // A revocation appears in the next CRL, which need not exist yet when the platform restarts.
    openWork: `SELECT (SELECT count(*) FROM certificate_operation WHERE state IN ('pending', 'undecided'))
      + (SELECT count(*) FROM awaited_revocation) AS open`,
    async load(server, signal) {
      try {
        const client = connect(server.ready);
        await runLoad(client, { profile: await findProfile(client), evidence, signal });
      } catch {
        // The platform died before the load started.
      }
    },
    async check(server, database) {
      const client = connect(server.ready);
      const { authorityUuid } = await findProfile(client);
      const facts = { client, http: server.ready.http, authorityUuid, evidence };
      return [...(await checkDatabase(database)), ...(await checkInterface(facts))];
    },
    missedFaults: (_server, database) => missedFaults(database, { faults: plantedFaults, check: checkDatabase }),
    summary: () => `${evidence.issued.length} issued, ${evidence.revoked.length} revoked`,
    close: async () => undefined,
  };
}
