// Progress, outcome and rejections of a bulk change.
import { Progress, Stack, Text } from '@mantine/core';
import type { CertificateChange, CertificateChangeDetail } from '@signetry/contract';
import { formatCount, shownName } from '../../../format/names.ts';
import type { RunAction } from '../../../kit/actions.tsx';
import { paths } from '../../../kit/paths.ts';
import { api } from '../../../api/client.ts';
import { Callout } from '../../../ui/callout.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import classes from './progress.module.css';
import { countsOf, pastParticiples, shareOf } from './texts.ts';

/** Progress is announced in increments of this many percent. */
const TOLD_PERCENT = 10;

export function ChangeProgress({ change }: { readonly change: CertificateChange }) {
  const share = shareOf(change);
  return (
    <Stack gap="xs">
      <Text size="sm">{`${countsOf(change)}.`}</Text>
      {/* Announcing progress every second would be too frequent. */}
      <span className="visually-hidden" role="status">{`${share - (share % TOLD_PERCENT)}% done`}</span>
      <Progress value={share} animated aria-label={`${share}% of certificates processed`} />
    </Stack>
  );
}

/** Outcome of a finished change. */
export function Outcome({
  change,
  urgent = false,
}: {
  readonly change: CertificateChangeDetail;
  readonly urgent?: boolean;
}) {
  const { total, refused, changed, stoppedBy, kind } = change;
  const isGood = refused === 0 && stoppedBy === undefined;
  const title = isGood
    ? `All ${pastParticiples[kind]}`
    : stoppedBy !== undefined
      ? `Stopped by ${stoppedBy}`
      : changed === 0
        ? `None ${pastParticiples[kind]}`
        : `Some not ${pastParticiples[kind]}`;
  return (
    <Callout tone={isGood ? 'good' : changed === 0 && total > 0 ? 'bad' : 'warn'} title={title} urgent={urgent}>
      <Text size="sm">{`${countsOf(change)}.`}</Text>
    </Callout>
  );
}

/** Lists the rejected certificates with the reasons. If there are many, only the first ones are listed. */
export function Rejections({ change }: { readonly change: CertificateChangeDetail }) {
  const { refusals, refused } = change;
  const rest = refused - refusals.length;
  if (refusals.length === 0) return null;
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <ul className={classes.refusals} aria-label="Rejected certificates" tabIndex={0}>
      {refusals.map(({ uuid, name, message }) => (
        <li key={uuid}>
          {name === '' ? (
            <span className={classes.name}>{uuid}</span>
          ) : (
            <TextLink to={paths.certificates.one(uuid)}>{shownName(name)}</TextLink>
          )}
          <Text size="sm" c="dimmed" component="div">
            {message}
          </Text>
        </li>
      ))}
      {rest > 0 && <li>{`And ${formatCount(rest)} more.`}</li>}
    </ul>
  );
}

export const stopAction = ({ uuid }: CertificateChange): RunAction => ({
  label: 'Stop',
  isGrave: true,
  run: () => api.certificateChanges.stopCertificateChange({ params: { uuid } }),
  done: 'The change was stopped.',
  refresh: ['certificate-changes'],
  ask: {
    title: 'Stop this change?',
    children: 'Completed changes are kept; the remaining certificates are not changed.',
    keep: 'Keep running',
  },
});
