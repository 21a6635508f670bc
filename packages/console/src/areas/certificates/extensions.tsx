// Certificate extensions with their names and values.
import { Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ParsedExtensionDto, ParsedValueDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { visibleText } from '@signetry/pki/hidden-characters';
import { formatDateTime } from '../../format/dates.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { parsedQuery } from '../../queries/certificates.ts';
import { FoldButton } from '../../ui/fold-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import classes from './extensions.module.css';
import { Octets } from './octets.tsx';
import { ParsedValues, runsOf } from './parsed-values.tsx';

export function Extensions({ uuid }: { readonly uuid: string }) {
  const parsed = useQuery(parsedQuery(uuid));
  if (parsed.data?.extensions.length === 0) return null;
  return (
    <Panel title="Extensions">
      <QueryView of={parsed} what="the extensions">
        {({ extensions }) => (
          <ul className={classes.extensions}>
            {extensions.map((extension) => (
              <Extension key={extension.oid} extension={extension} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

/**
 * Shows the OID of an extension whose name is not known. On narrow screens, only one line is shown until the extension
 * is expanded.
 */
function Extension({ extension }: { readonly extension: ParsedExtensionDto }) {
  const { oid, name, critical, values } = extension;
  const isFolding = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const body = useId();
  const isFolded = isFolding && !isOpen;
  return (
    <li className={classes.extension}>
      <div className={classes.head} data-folding={isFolding || undefined}>
        {isFolding && (
          <FoldButton label={name ?? oid} controls={body} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        )}
        <Title order={3} className={classes.name}>
          {name ?? oid}
        </Title>
        {critical && <span className={classes.critical}>Critical</span>}
        {name !== undefined && (
          <span className={classes.oid} hidden={isFolded}>
            {oid}
          </span>
        )}
        {isFolded && <span className={classes.summary}>{summaryOf(extension)}</span>}
      </div>
      <div id={body} className={classes.body} hidden={isFolded}>
        <ParsedValues values={values} />
        <UndecodedExtension extension={extension} />
      </div>
    </li>
  );
}

const NARROW = '(max-width: 40em)';
/** More characters than fit on one line of a narrow screen. */
const SUMMARY_LENGTH = 120;

/** Summarizes the extension in one line, up to the maximum length. */
function summaryOf({ values, problem, name }: ParsedExtensionDto): string {
  if (problem !== undefined) return 'Cannot be decoded';
  if (values.length === 0) return name === undefined ? 'Unknown extension' : 'Not decoded';
  return visibleText(describeValues(values)).slice(0, SUMMARY_LENGTH);
}

/** Consecutive values with the same label are joined under one label. */
const describeValues = (values: readonly ParsedValueDto[]): string =>
  runsOf(values)
    .map((run) => {
      const texts = run.flatMap((value) => textOf(value) ?? []).join(', ');
      const label = run[0]?.label ?? '';
      return texts === '' ? label : `${label}: ${texts}`;
    })
    .join('; ');

const textOf = ({ text, form, members = [] }: ParsedValueDto): string | undefined =>
  text === undefined
    ? members.length === 0
      ? undefined
      : describeValues(members)
    : form === 'time'
      ? formatDateTime(text)
      : text;

/** Unknown and malformed extensions are shown in hex. */
function UndecodedExtension({ extension }: { readonly extension: ParsedExtensionDto }) {
  const { name, hex, problem } = extension;
  if (hex === undefined) return null;
  return (
    <div className={classes.unread}>
      {problem === undefined ? (
        <span className={classes.note}>
          {name === undefined ? 'Unknown extension.' : 'This extension is not decoded.'} Raw value:
        </span>
      ) : (
        <>
          <State tone="warn">Cannot be decoded</State>
          <span className={classes.note}>{visibleText(problem.message)}. Raw value:</span>
        </>
      )}
      <Octets hex={hex} what={`Value of ${name ?? extension.oid}`} />
    </div>
  );
}
