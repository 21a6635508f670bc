// `signetry enrollments list`: lists enrollment requests received over CMP, SCEP and EST, and their outcomes.
import { EnrollmentState, ListedProtocol, type EnrollmentDto } from '@signetry/contract';
import { command, type Flags } from '../command-line/command.ts';
import { pageFlags, pageOf } from '../command-line/page-flags.ts';
import { EXIT } from '../exit-codes.ts';
import { printPage } from '../output/print-list.ts';
import type { Column, Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRaProfile } from '../platform/find-ra-profile.ts';

const flags = {
  protocol: { value: 'PROTOCOL', choices: ListedProtocol.options, about: 'Only requests over this protocol' },
  state: { value: 'STATE', choices: EnrollmentState.options, about: 'Only requests in this state' },
  'ra-profile': { value: 'NAME', about: 'Only requests under this RA profile' },
  text: { value: 'TEXT', about: 'Text in the subject, transaction, requester or address' },
  ...pageFlags,
  ...connectionFlags,
} as const satisfies Flags;

export const listEnrollments = command({
  name: 'enrollments list',
  about: 'List enrollment requests received over CMP, SCEP and EST, newest first',
  details: [
    'Rejected requests are listed with the reason, including messages that could not be read and ACME registrations whose external account binding was rejected.',
  ],
  flags,
  examples: ['signetry enrollments list --protocol scep --state refused'],
  async run({ flags: given, json }, context) {
    const connection = await connect(given, context);
    const { client, options } = connection;
    const { protocol, state, text } = given;
    const raProfile =
      given['ra-profile'] === undefined ? undefined : await findRaProfile(connection, given['ra-profile']);
    const query = {
      ...pageOf(given),
      ...(protocol === undefined ? {} : { protocol: ListedProtocol.parse(protocol) }),
      ...(state === undefined ? {} : { state: EnrollmentState.parse(state) }),
      ...(text === undefined ? {} : { text }),
      ...(raProfile === undefined ? {} : { raProfileUuid: raProfile.uuid }),
    };
    const answer = await client.enrollments.listEnrollments({ query }, options);
    printPage(context, answer, { rows: answer.enrollments, json, columns: columns(context.now()), what: 'requests' });
    return EXIT.ok;
  },
});

const columns = (now: number): readonly Column<EnrollmentDto>[] => [
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => toneOf(state) },
  { title: 'Subject', text: ({ subject }) => subject },
  { title: 'Protocol', text: ({ protocol, kind }) => `${protocol} ${kind}`.trim() },
  { title: 'Profile', text: ({ profileName }) => profileName },
  { title: 'Received', text: ({ createdAt }) => describeTime(createdAt, now) },
  { title: 'Problem', text: ({ problem = '' }) => problem },
  { title: 'Address', text: ({ address = '' }) => address },
  { title: 'Requested by', isMinor: true, text: ({ requester }) => requester },
  { title: 'Certificate', isWhole: true, isMinor: true, text: ({ certificateUuid = '' }) => certificateUuid },
];

function toneOf(state: EnrollmentState): Tone {
  switch (state) {
    case 'issued':
    case 'confirmed':
      return 'good';
    case 'waiting':
      return 'warning';
    case 'refused':
    case 'revoked':
      return 'bad';
  }
}
