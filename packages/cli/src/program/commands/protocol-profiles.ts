// `signetry cmp-profiles list`, `scep-profiles list`, `est-profiles list`: lists the URLs that protocol clients use.
import { command } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { printAll } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

interface Profile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly weakSecret?: boolean | undefined;
  /** Absent until an administrator decides; until then, names are not bound. */
  readonly bindNames?: boolean | undefined;
  readonly raProfile?: { readonly name: string } | undefined;
}

const profileListCommand = <Row extends Profile>(
  protocol: 'CMP' | 'SCEP' | 'EST',
  how: {
    readonly ask: (connection: Connection) => Promise<readonly Row[]>;
    readonly urlOf: (profile: Row) => string | undefined;
  },
) =>
  command({
    name: `${protocol.toLowerCase()}-profiles list`,
    about: `List ${protocol} profiles and their URLs`,
    flags: connectionFlags,
    async run({ flags, json }, context) {
      const profiles = await how.ask(await connect(flags, context));
      printAll(context, profiles, { json, columns: columnsWith(how.urlOf), what: `${protocol} profiles` });
      return EXIT.ok;
    },
  });

const columnsWith = <Row extends Profile>(urlOf: (profile: Row) => string | undefined): readonly Column<Row>[] => [
  { title: 'Name', text: ({ name }) => name },
  {
    title: 'State',
    text: (profile) => [profile.enabled ? 'enabled' : 'disabled', ...weaknessesOf(profile)].join(', '),
    tone: (profile) => (profile.enabled && weaknessesOf(profile).length === 0 ? 'good' : 'warning'),
  },
  { title: 'RA profile', text: ({ raProfile }) => raProfile?.name ?? 'none' },
  { title: 'URL', isWhole: true, text: (profile) => urlOf(profile) ?? '' },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

const weaknessesOf = ({ weakSecret, bindNames }: Profile): string[] => [
  ...(weakSecret ? ['weak secret'] : []),
  ...(bindNames === undefined ? ['names not bound'] : []),
];

export const listCmpProfiles = profileListCommand('CMP', {
  ask: ({ client, options }) => client.cmpProfiles.listCmpProfiles({}, options),
  urlOf: ({ cmpUrl }) => cmpUrl,
});

export const listScepProfiles = profileListCommand('SCEP', {
  ask: ({ client, options }) => client.scepProfiles.listScepProfiles({}, options),
  urlOf: ({ scepUrl }) => scepUrl,
});

export const listEstProfiles = profileListCommand('EST', {
  ask: ({ client, options }) => client.estProfiles.listEstProfiles({}, options),
  urlOf: ({ url }) => url,
});
