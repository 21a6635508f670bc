// `signetry rehearse`: what a shorter lifetime of certificates would mean.
import {
  MAX_REHEARSED_LIFETIME,
  type RenewalRehearsal,
  type RenewalWay,
  type UnattendedReason,
} from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { wholeNumber } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, renderTable, type Column } from '../output/table.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  lifetime: { value: 'DAYS', initial: '47', about: 'Days that certificates are valid at most' },
  from: {
    value: 'YYYY-MM-DD',
    about: 'First day on which certificates are issued with that lifetime; today otherwise',
  },
  ...connectionFlags,
} as const;

export const rehearse = command({
  name: 'rehearse',
  about: 'Tell what a shorter lifetime of certificates would mean for renewals',
  details: ['The certificates in use are renewed day by day for a year, on paper only. --json has every day.'],
  flags,
  examples: ['signetry rehearse --lifetime 100', 'signetry rehearse --lifetime 47 --from 2029-03-15'],
  async run({ flags: given, json }, context) {
    const lifetimeDays = wholeNumber('--lifetime', { text: given.lifetime, min: 1, max: MAX_REHEARSED_LIFETIME });
    const { client, options } = await connect(given, context);
    const body = { lifetimeDays, ...(given.from === undefined ? {} : { from: given.from }) };
    const answer = await client.renewalRehearsal.rehearseRenewals({ body }, options);
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

function factsOf({ certificates, renewals, renewalsNow, perDay, firstDay }: RenewalRehearsal) {
  const most = Math.max(0, ...perDay);
  const day = new Date(Date.parse(firstDay) + perDay.indexOf(most) * 86_400_000).toISOString().slice(0, 10);
  return [
    ['Certificates in use', String(certificates)],
    ['Renewals in a year, today', String(renewalsNow)],
    ['With this lifetime', String(renewals)],
    ['Busiest day', most === 0 ? undefined : `${most} on ${day}`],
  ] as const;
}

const ways: Readonly<Record<RenewalWay, string>> = {
  protocol: 'by ACME clients',
  location: 'by the platform, in locations',
  token: 'by the platform, with keys in tokens',
  request: 'on request, as before',
  hand: 'by hand so far',
  none: 'not by the platform',
};

const reasons: Readonly<Record<UnattendedReason, string>> = {
  noRaProfile: 'no RA profile',
  raProfileDisabled: 'RA profile disabled',
  authorityMissing: 'authority removed',
  noLocationNorKey: 'in no location, key in no token',
  locationMakesNoKeys: 'location makes no keys',
  locationDisabled: 'location disabled',
  notAutomatic: 'not set to renew automatically',
  paused: 'automatic renewal paused',
  failed: 'last try failed',
};

const wayColumns: readonly Column<RenewalRehearsal['ways'][number]>[] = [
  { title: 'Renewed', text: ({ way }) => ways[way] },
  { title: 'Certificates', text: ({ certificates }) => String(certificates) },
  { title: 'Renewals', text: ({ renewals }) => String(renewals) },
];

const reasonColumns: readonly Column<RenewalRehearsal['unattended'][number]>[] = [
  { title: 'Not by themselves, because', text: ({ reason }) => reasons[reason] },
  { title: 'Certificates', text: ({ certificates }) => String(certificates) },
  { title: 'Renewals', text: ({ renewals }) => String(renewals) },
];
