// `signetry events`: shows past events, one per line, and follows new ones.
import { MAX_EVENTS_PER_PAGE, type FeedEvent } from '@signetry/contract';
import { command, type Flags } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { EXIT } from '../exit-codes.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  follow: { about: 'Wait for new events and show them' },
  after: { value: 'POSITION', about: 'Only events after this position' },
  event: { value: 'NAME', about: 'Only events with this name, e.g. certificate_status_changed' },
  object: { value: 'UUID', about: 'Only events about this object' },
  ...connectionFlags,
} as const satisfies Flags;

/** Number of events shown without `--after`. */
const LATEST = 100;
/** Maximum wait; the platform responds earlier if an event occurs. */
const WAIT_S = 25;

export const listEvents = command({
  name: 'events',
  about: 'Show recent events, and follow new ones',
  details: [
    'Each line begins with the position of the event; specify the last one as --after to continue from there.',
    'Only events about objects that you can list are shown. With --json, each line is an event.',
  ],
  flags,
  examples: ['signetry events --follow', 'signetry events --event certificate_discovered --after 1200 --json'],
  async run({ flags: { follow, after, event, object, ...others }, json }, context) {
    const given =
      after === undefined ? undefined : parseWholeNumber('--after', { text: after, min: 0, max: MAX_POSITION });
    const { client, options } = await connect(others, context);
    const { listEvents: list } = client.eventFeed;
    const wanted = { event, objectUuid: object, limit: MAX_EVENTS_PER_PAGE };
    const now = await list({ query: wanted }, options);
    let position = given ?? (follow ? now.position : Math.max(now.oldestKept - 1, now.position - LATEST));
    for (;;) {
      const page = await list({ query: { ...wanted, after: String(position), waitS: follow ? WAIT_S : 0 } }, options);
      for (const each of page.events) context.out(json ? JSON.stringify(each) : lineOf(each));
      const isEnd = page.position === position || page.position >= now.position;
      position = page.position;
      if (!follow && isEnd) return EXIT.ok;
    }
  },
});

const MAX_POSITION = 999_999_999_999_999;

const lineOf = ({ position, raisedAt, event, resource, objectUuid = '-', data }: FeedEvent): string =>
  `${position}  ${raisedAt}  ${event}  ${resource} ${objectUuid}  ${nameIn(data)}`.trimEnd();

/** Returns the display name of the object, if the event includes one. */
function nameIn(data: FeedEvent['data']): string {
  const name = ['subjectDn', 'discoveryName', 'jobName', 'approvalProfileName']
    .map((member) => data[member])
    .find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : '';
}
