// `signetry simulate`: simulates renewals under a shorter validity period.
import {
  MAX_SIMULATED_LIFETIME,
  type RenewalSimulation,
  type RenewalWay,
  type UnattendedReason,
} from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, renderTable, type Column } from '../output/table.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  lifetime: { value: 'DAYS', initial: '47', about: 'Maximum validity period of certificates, in days' },
  from: {
    value: 'YYYY-MM-DD',
    about: 'First day on which certificates are issued with this validity period (default: today)',
  },
  ...connectionFlags,
} as const;

export const simulate = command({
  name: 'simulate',
  about: 'Simulate renewals under a shorter validity period',
  details: [
    'Simulates a year of renewals of the certificates in use, day by day. Nothing is changed. --json includes every day.',
  ],
  flags,
  examples: ['signetry simulate --lifetime 100', 'signetry simulate --lifetime 47 --from 2029-03-15'],
  async run({ flags: given, json }, context) {
    const lifetimeDays = parseWholeNumber('--lifetime', { text: given.lifetime, min: 1, max: MAX_SIMULATED_LIFETIME });
    const { client, options } = await connect(given, context);
    const body = { lifetimeDays, ...(given.from === undefined ? {} : { from: given.from }) };
    const answer = await client.renewalSimulation.simulateRenewals({ body }, options);
    if (json) printJson(context, answer);
    else {
      const { colour, width } = context;
      context.out(renderFacts(factsOf(answer), { colour }));
      if (answer.ways.length > 0) context.out(`\n${renderTable(answer.ways, { columns: wayColumns, colour, width })}`);
      if (answer.unattended.length > 0)
        context.out(`\n${renderTable(answer.unattended, { columns: reasonColumns, colour, width })}`);
    }
    return EXIT.ok;
  },
});

function factsOf({ certificates, renewals, renewalsNow, perDay, firstDay }: RenewalSimulation) {
  const most = Math.max(0, ...perDay);
  const day = new Date(Date.parse(firstDay) + perDay.indexOf(most) * 86_400_000).toISOString().slice(0, 10);
  return [
    ['Certificates in use', String(certificates)],
    ['Renewals per year, currently', String(renewalsNow)],
    ['With this validity period', String(renewals)],
    ['Busiest day', most === 0 ? undefined : `${most} on ${day}`],
  ] as const;
}

const ways: Readonly<Record<RenewalWay, string>> = {
  protocol: 'by ACME clients',
  location: 'by the platform, in locations',
  token: 'by the platform, with keys in tokens',
  request: 'on request',
  hand: 'currently manual',
  none: 'not by the platform',
};

const reasons: Readonly<Record<UnattendedReason, string>> = {
  noRaProfile: 'no RA profile',
  raProfileDisabled: 'RA profile disabled',
  authorityMissing: 'authority removed',
  noLocationNorKey: 'not in a location, key not in a token',
  locationMakesNoKeys: 'location does not generate keys',
  locationDisabled: 'location disabled',
  notAutomatic: 'automatic renewal not enabled',
  paused: 'automatic renewal paused',
  failed: 'last attempt failed',
};

const wayColumns: readonly Column<RenewalSimulation['ways'][number]>[] = [
  { title: 'Renewal', text: ({ way }) => ways[way] },
  { title: 'Certificates', text: ({ certificates }) => String(certificates) },
  { title: 'Renewals', text: ({ renewals }) => String(renewals) },
];

const reasonColumns: readonly Column<RenewalSimulation['unattended'][number]>[] = [
  { title: 'No automated renewal because', text: ({ reason }) => reasons[reason] },
  { title: 'Certificates', text: ({ certificates }) => String(certificates) },
  { title: 'Renewals', text: ({ renewals }) => String(renewals) },
];
