// Elapsed part of a validity period, with the remaining time as text.
import { Group, Text } from '@mantine/core';
import { formatDate, formatPeriod, formatRelative } from '../format/dates.ts';
import classes from './validity-bar.module.css';
import type { Tone } from './state.tsx';

export function ValidityBar({
  notBefore,
  notAfter,
  tone,
  ended,
}: {
  readonly notBefore: string;
  readonly notAfter: string;
  readonly tone: Tone;
  /** Why the validity period ended early, e.g. `Revoked`. */
  readonly ended?: string | undefined;
}) {
  const [start, end, now] = [Date.parse(notBefore), Date.parse(notAfter), Date.now()];
  const gone = Math.min(1, Math.max(0, (now - start) / (end - start)));
  const words = ended
    ? ended
    : end <= now
      ? `Expired ${formatRelative(notAfter)}`
      : start > now
        ? `Becomes valid ${formatRelative(notBefore)}`
        : `Expires ${formatRelative(notAfter)}`;
  return (
    <div>
      <Group justify="space-between" mb={6} gap="xs">
        <Text fw={650} size="lg">
          {words}
        </Text>
        <Text size="sm" c="dimmed">
          {ended ? 'issued for' : 'valid for'} {formatPeriod(notBefore, notAfter)}
        </Text>
      </Group>
      <div
        className={classes.track}
        data-tone={tone}
        role="img"
        aria-label={`${Math.round(gone * 100)} percent of the validity period has passed`}
      >
        <div className={classes.gone} style={{ width: `${gone * 100}%` }} />
      </div>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          {formatDate(notBefore)}
        </Text>
        <Text size="xs" c="dimmed">
          {formatDate(notAfter)}
        </Text>
      </Group>
    </div>
  );
}
