// `signetry events`: what happened, one line for each event, and what happens from now on.
import { MAX_EVENTS_PER_PAGE, type FeedEvent } from '@signetry/contract';
import { command, type Flags } from '../command-line/command.ts';
import { wholeNumber } from '../command-line/flag-values.ts';
import { EXIT } from '../exit-codes.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  follow: { about: 'Go on with what happens from now on' },
  after: { value: 'POSITION', about: 'Only what came after this position' },
  event: { value: 'NAME', about: 'Only events of this name, e.g. certificate_status_changed' },
  object: { value: 'UUID', about: 'Only events about this object' },
  ...connectionFlags,
} as const satisfies Flags;

/** Shown without `--after`. */
const LATEST = 100;
/** The platform answers sooner when something happens. */
const WAIT_S = 25;

export const listEvents = command({
  name: 'events',
  about: 'Show what happened, and follow what happens',
  details: [
    'A line begins with the position of the event; give the last one as --after to go on there.',
    'You see events about what you see in lists. With --json each line is an event.',
  ],
  flags,
  examples: ['signetry events --follow', 'signetry events --event certificate_discovered --after 1200 --json'],
  async run({ flags: { follow, after, event, object, ...others }, json }, context) {
    const given = after === undefined ? undefined : wholeNumber('--after', { text: after, min: 0, max: MAX_POSITION });
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

/** What people know the object by, where the event says it. */
function nameIn(data: FeedEvent['data']): string {
  const name = ['subjectDn', 'discoveryName', 'jobName', 'approvalProfileName']
    .map((member) => data[member])
    .find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : '';
}
