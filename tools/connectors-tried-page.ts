// Public connectors that were tried with the platform, from recorded exchanges.
import { page, table } from './page-text.ts';
import { recordings, replay, type Recording, type Replay } from './recorded-exchanges.ts';

const INTRO = `Exchanges that were recorded between unmodified public connectors and the platform. Each run of the tests replays
them: the platform's reader and \`signetry connector check\` read the recorded response to the recorded request. The
recordings do not contain the versions of the connectors, and no test starts the connectors themselves. To check a
running connector, use \`signetry connector check\`.

"Read" means that the platform reads the response. "Rejection passed on" means that the caller receives the connector's
reason. Notes are deviations from the interface document that the platform accepts.`;

const TITLES = ['Connector', 'Version', 'What was run', 'Platform', 'Check'];

export async function connectorsTriedPage(): Promise<string> {
  const rows: string[][] = [];
  for (const recording of recordings) rows.push(rowOf(recording, await replay(recording)));
  const names = new Set(recordings.map(({ connector }) => connector));
  const count = `${recordings.length} recorded exchanges with ${names.size} connectors.`;
  return page('Public connectors', INTRO, `${count}\n\n${table(TITLES, rows)}`);
}

const rowOf = ({ connector, exchange }: Recording, result: Replay): string[] => [
  connector,
  'not recorded',
  exchange,
  platformResult(result),
  checkResult(result),
];

const platformResult = ({ failure }: Replay): string =>
  failure === undefined ? 'Read' : `Rejection passed on (${failure.status}): ${failure.remoteMessage ?? 'no reason'}`;

function checkResult({ problem, notes }: Replay): string {
  if (problem !== undefined) return `Failed: ${problem}`;
  return notes.length === 0 ? 'Passed' : `Passed with a note: ${notes.join('; ')}`;
}
