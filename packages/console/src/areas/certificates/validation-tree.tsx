// The certificate and, below it, its issuers in order, each with its checks. Issuers that passed all checks are
// collapsed.
import { Text } from '@mantine/core';
import type { CertificateValidationCheckDto, PurposeVerdict, ValidatedChainMember } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import { useId, useState, type CSSProperties } from 'react';
import { formatDateTime } from '../../format/dates.ts';
import { shownName } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { FoldButton } from '../../ui/fold-button.tsx';
import { State, type Tone } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './validation.module.css';
import { checkTexts, purposeTexts, validationTexts } from './texts.ts';

type Status = CertificateValidationCheckDto['status'];

const tones: Readonly<Record<Status, Tone>> = {
  valid: 'good',
  expiring: 'warn',
  invalid: 'bad',
  failed: 'bad',
  revoked: 'bad',
  expired: 'bad',
  inactive: 'wait',
  not_checked: 'none',
};

export function ValidationTree({ chain }: { readonly chain: readonly ValidatedChainMember[] }) {
  return (
    <ol className={classes.tree} aria-label="Checks of each certificate in the chain">
      {chain.map((member, place) => (
        // oxlint-disable-next-line no-array-index-key -- a chain is its order
        <Member key={place} member={member} place={place} />
      ))}
    </ol>
  );
}

function Member({ member, place }: { readonly member: ValidatedChainMember; readonly place: number }) {
  const { uuid, result, isTrustMissing, purposes } = member;
  const isPassed = tones[result.resultStatus] === 'good' || tones[result.resultStatus] === 'warn';
  const [isOpen, setOpen] = useState(place === 0 || !isPassed);
  const checks = Object.values(result.validationChecks ?? {});
  const name = shownName(member.commonName || member.subjectDn);
  const body = useId();
  return (
    <li
      className={classes.member}
      style={{ '--depth': place } as CSSProperties /* React's CSSProperties type does not include custom properties. */}
    >
      <div className={classes.head}>
        <FoldButton label={`Checks of ${name}`} controls={body} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <span className={classes.name}>
          <Text span size="xs" c="dimmed">
            {place === 0 ? 'This certificate' : 'Issued by'}
          </Text>
          {uuid === undefined || place === 0 ? (
            <Text span fw={650}>
              {name}
            </Text>
          ) : (
            <span className={classes.link}>
              <TextLink to={paths.certificates.one(uuid)}>{name}</TextLink>
            </span>
          )}
        </span>
        <span className={classes.verdict}>
          <Verdict status={result.resultStatus} isTrustMissing={isTrustMissing} />
          <Text span size="xs" c="dimmed">
            {summaryOf(checks)}
          </Text>
        </span>
      </div>
      <ul id={body} className={classes.checks} hidden={!isOpen}>
        {checks.map((check) => (
          <Check key={check.validationCheck} check={check} isTrustMissing={isTrustMissing} />
        ))}
        {purposes.some(({ valid }) => valid) && <Purposes purposes={purposes} isAuthority={place > 0} />}
      </ul>
    </li>
  );
}

const Verdict = ({ status, isTrustMissing }: { readonly status: Status; readonly isTrustMissing: boolean }) =>
  isTrustMissing ? (
    <State tone="none">Untrusted root</State>
  ) : (
    <State tone={tones[status]}>{validationTexts[status]}</State>
  );

/** Formats `Checks: 5 passed, 2 skipped`. */
function summaryOf(checks: readonly CertificateValidationCheckDto[]): string {
  const number = (...wanted: readonly Tone[]) => checks.filter(({ status }) => wanted.includes(tones[status])).length;
  const parts = [
    [number('bad', 'wait'), 'failed'],
    [number('good', 'warn'), 'passed'],
    [number('none'), 'skipped'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return told.length === 0 ? 'No checks' : `Checks: ${told.join(', ')}`;
}

interface CheckProps {
  readonly check: CertificateValidationCheckDto;
  readonly isTrustMissing: boolean;
}

function Check({ check: { validationCheck, status, message }, isTrustMissing }: CheckProps) {
  return (
    <li className={classes.check}>
      <Verdict status={status} isTrustMissing={isTrustMissing && validationCheck === 'certificate_chain'} />
      <span>
        <Text span fw={600} size="sm">
          {checkTexts[validationCheck]}
        </Text>
        {message && (
          <Text span size="sm" c="dimmed" className={classes.message}>
            {withReadableDates(message)}
          </Text>
        )}
      </span>
    </li>
  );
}

interface PurposesProps {
  readonly purposes: readonly PurposeVerdict[];
  readonly isAuthority: boolean;
}

/** Lists the purposes of a valid certificate, and why CAs above it exclude others that it names. */
function Purposes({ purposes, isAuthority }: PurposesProps) {
  const valid = purposes.filter((each) => each.valid).map(({ purpose }) => purposeTexts[purpose]);
  const excluded = purposes.flatMap(({ purpose, message }) =>
    message?.startsWith('The CA ') ? [`${purposeTexts[purpose]}: ${message}`] : [],
  );
  return (
    <li className={classes.check}>
      <State tone="good">Valid for</State>
      <span>
        <Text span fw={600} size="sm">
          {isAuthority ? 'Certificates for' : 'Purposes'}
        </Text>
        <Text span size="sm" c="dimmed" className={classes.message}>
          {visibleText([valid.join(', '), ...excluded].join('. '))}
        </Text>
      </span>
    </li>
  );
}

/** Replaces the ISO 8601 timestamps in a platform message with readable ones. */
const withReadableDates = (message: string): string =>
  visibleText(message).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatDateTime(instant));
