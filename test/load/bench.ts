// `npm run bench NAME [-- options]`: measures a running platform or a package; prints JSON and a readable table. Not
// part of the tests, because results depend on the machine.
import { measureCodec } from '../../packages/pki/bench/codec.ts';
import { printReport, type BenchmarkReport } from './report.ts';
import { benchAttributes } from './attributes.ts';
import { benchAuthentication } from './authentication.ts';
import { benchAudit } from './audit.ts';
import { benchAcme } from './acme.ts';
import { benchCmp } from './cmp.ts';
import { benchCompliance } from './compliance.ts';
import { benchConsole } from './console.ts';
import { benchCrl } from './crl.ts';
import { benchCtLog } from './ct-log.ts';
import { benchDiscovery } from './discovery.ts';
import { benchEmail } from './email.ts';
import { benchEst } from './est.ts';
import { benchEvents } from './events.ts';
import { benchExpiry } from './expiry.ts';
import { benchFiles } from './files.ts';
import { benchInventory } from './inventory.ts';
import { benchHostileEnrollment } from './hostile-enrollment.ts';
import { benchImport } from './import.ts';
import { benchIssue } from './rest-issue.ts';
import { benchKeys } from './keys.ts';
import { benchMixed } from './mixed.ts';
import { benchPermissions } from './permissions.ts';
import { benchNotifications } from './notifications.ts';
import { benchPush } from './push.ts';
import { benchSimulation } from './simulation.ts';
import { benchScan } from './scan.ts';
import { benchScep } from './scep.ts';
import { benchStart } from './start.ts';
import { benchStatistics } from './statistics.ts';
import { benchTokens } from './tokens.ts';
import { benchTriggers } from './triggers.ts';
import { benchValidation } from './validation.ts';

const benchmarks: Readonly<Record<string, (options: ReadonlyMap<string, string>) => Promise<BenchmarkReport>>> = {
  start: benchStart,
  issue: benchIssue,
  attributes: benchAttributes,
  authentication: benchAuthentication,
  audit: benchAudit,
  acme: benchAcme,
  cmp: benchCmp,
  compliance: benchCompliance,
  console: benchConsole,
  'hostile-enrollment': benchHostileEnrollment,
  import: benchImport,
  crl: benchCrl,
  'ct-log': benchCtLog,
  est: benchEst,
  events: benchEvents,
  expiry: benchExpiry,
  files: benchFiles,
  discovery: benchDiscovery,
  email: benchEmail,
  inventory: benchInventory,
  keys: benchKeys,
  mixed: benchMixed,
  notifications: benchNotifications,
  simulation: benchSimulation,
  scan: benchScan,
  scep: benchScep,
  statistics: benchStatistics,
  tokens: benchTokens,
  triggers: benchTriggers,
  permissions: benchPermissions,
  push: benchPush,
  validation: benchValidation,
  codec: async () => ({ name: 'PKI codec', figures: await measureCodec() }),
};

const [name = '', ...rest] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (!benchmark) {
  console.error(`Usage: npm run bench -- ${Object.keys(benchmarks).join('|')} [--name=value ...]`);
  process.exit(2);
}
const options = new Map(
  rest
    .map((argument) => /^--([\w-]+)(?:=(.*))?$/.exec(argument))
    .flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? ''] as const] : [])),
);
printReport(await benchmark(options), `npm run bench -- ${[name, ...rest].join(' ')}`);
process.exit(0);
