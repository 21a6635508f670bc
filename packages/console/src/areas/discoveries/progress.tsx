// Progress of a discovery. Each count links to the corresponding list.
import { Progress, Stack, Text } from '@mantine/core';
import type { DiscoveryProgress } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import type { RunAction } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import type { DiscoveryView } from '../../queries/discovery-search.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const phaseWords: Readonly<Record<DiscoveryProgress['phase'], string>> = {
  starting: 'Starting the search at the connector.',
  searching: 'The connector is searching.',
  reading: 'Reading the results from the connector.',
  ended: '',
};

const tones = { completed: 'good', warning: 'warn', failed: 'bad' } as const;

/** Progress is announced in increments of this many percent. */
const TOLD_PERCENT = 10;

export function ProgressPanel({ progress }: { readonly progress: DiscoveryProgress }) {
  const { phase, status, message } = progress;
  const isEnded = phase === 'ended';
  return (
    <Panel title={isEnded ? 'Outcome' : 'Progress'}>
      <Stack gap="md">
        {isEnded ? (
          status !== 'completed' && (
            <Callout
              tone={tones[status as keyof typeof tones] ?? 'warn'}
              title={status === 'failed' ? 'The discovery failed' : 'The discovery finished with a warning'}
            >
              <Text size="sm">{message}</Text>
            </Callout>
          )
        ) : (
          <RunningProgress progress={progress} />
        )}
        <Counters progress={progress} />
      </Stack>
    </Panel>
  );
}

function RunningProgress({
  progress: { phase, pages = 0, pagesRead, perSecond, message },
}: {
  readonly progress: DiscoveryProgress;
}) {
  const share = pages === 0 ? 0 : Math.floor((100 * pagesRead) / pages);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {phaseWords[phase]}
        {phase === 'reading' && ` Page ${formatCount(pagesRead)} of ${formatCount(pages)}.`}
        {perSecond !== undefined && ` ${formatCount(perSecond)} results per second.`}
      </Text>
      {message !== undefined && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
      {phase === 'reading' && (
        <>
          {/* Announcing progress every second would be too frequent. */}
          <span className="visually-hidden" role="status">{`${share - (share % TOLD_PERCENT)}% read`}</span>
          <Progress value={share} animated aria-label={`${share}% of results read`} />
        </>
      )}
    </Stack>
  );
}

function Counters({ progress }: { readonly progress: DiscoveryProgress }) {
  const { uuid, found, newlyDiscovered, refused, repeated, announced } = progress;
  const countLink = (count: number, view: DiscoveryView) =>
    count === 0 ? '0' : <TextLink to={paths.discoveries.view(uuid, view)}>{formatCount(count)}</TextLink>;
  return (
    <Facts
      facts={[
        { name: 'Certificates', value: countLink(found, 'found') },
        { name: 'New to the inventory', value: countLink(newlyDiscovered, 'new') },
        { name: 'Already known', value: countLink(found - newlyDiscovered, 'known') },
        { name: 'Duplicate results', value: repeated === 0 ? undefined : formatCount(repeated) },
        { name: 'Unreadable', value: countLink(refused, 'refused') },
        { name: 'Expected', value: formatCount(announced) },
      ]}
    />
  );
}

export const stopAction = (uuid: string): RunAction => ({
  label: 'Stop',
  isGrave: true,
  needs: ['discoveries', 'update', uuid],
  run: () => api.discoveryRuns.stopDiscovery({ params: { uuid } }),
  done: 'The discovery was stopped.',
  refresh: ['discoveries'],
  ask: {
    title: 'Stop this discovery?',
    children: 'Results so far are kept. You can resume it later.',
    keep: 'Keep running',
  },
});

export const resumeAction = (uuid: string): RunAction => ({
  label: 'Resume',
  isPrimary: true,
  needs: ['discoveries', 'update', uuid],
  run: () => api.discoveryRuns.resumeDiscovery({ params: { uuid } }),
  done: 'The discovery was resumed.',
  refresh: ['discoveries'],
});
