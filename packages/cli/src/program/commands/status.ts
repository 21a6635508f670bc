// `signetry status`: shows whether the platform is running, its URLs and its health. Exits with 3 if it is not running.
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { renderFacts, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const status = command({
  name: 'status',
  about: 'Show whether the platform is running, its URLs and its health',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const state = await readState(
      await connect(flags, context).catch((error: unknown) => reportStopped(error, { json, context })),
    );
    if (json) printJson(context, { running: true, ...state });
    else context.out(stateText(state, context));
    return state.health === 'UP' ? EXIT.ok : EXIT.failed;
  },
});

/** With `--json`, a stopped platform is also reported as a result. */
function reportStopped(error: unknown, { json, context }: { json: boolean; context: Context }): never {
  if (json && error instanceof CliFailure && error.exitCode === EXIT.unreachable)
    printJson(context, { running: false });
  throw error;
}

type State = Awaited<ReturnType<typeof readState>>;

async function readState({ client, platform, options }: Connection) {
  const { api, run } = platform;
  const [health, info, user] = await Promise.all([
    client.info.getHealth({}, options),
    client.info.getInfo({}, options),
    client.auth.getUserProfile({}, options),
  ]);
  const here = run && {
    version: run.version,
    pid: run.pid,
    startedAt: run.startedAt,
    http: run.http,
    https: run.https,
    metrics: run.metrics,
    metricsAccess: run.metricsAccess,
    warnings: run.warnings,
  };
  return { health: health.status, api, ...here, app: info.app, db: info.db, user: user.username };
}

function stateText(state: State, { now, colour }: Context): string {
  const { health, app, db } = state;
  return renderFacts(
    [
      ['Platform', health === 'UP' ? 'running' : `running, but ${health}`, health === 'UP' ? 'good' : 'bad'],
      ['API', state.api],
      ['HTTP', state.http ?? undefined],
      ['HTTPS', state.https ?? undefined],
      ['Metrics', metricsText(state)],
      ['Process', state.pid === undefined ? undefined : String(state.pid)],
      ['Since', describeTime(state.startedAt, now())],
      ['Version', state.version && `${app.name} ${state.version}`],
      ['API version', app.version],
      ['Database', `${db.system} ${db.version}`],
      ['Signed in as', state.user],
      ...(state.warnings ?? []).map((warning): Fact => ['Warning', warning, 'bad']),
    ],
    { colour },
  );
}

const METRICS: Readonly<Record<string, string>> = {
  token: ', with a token that can read settings',
  everybody: ', open to everyone who can connect',
  listener: ', on a separate listener, without a token',
};

/** Returns undefined if the platform is too old to report who can access the metrics. */
function metricsText({ metrics, metricsAccess }: Pick<State, 'metrics' | 'metricsAccess'>): string | undefined {
  if (metricsAccess === 'off') return 'off';
  const access = METRICS[metricsAccess ?? ''];
  return metrics && access ? `${metrics}${access}` : undefined;
}
