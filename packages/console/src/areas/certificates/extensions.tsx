// The extensions of a certificate, each by its name and what it says.
import { Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ParsedExtensionDto, ParsedValueDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { visibleText } from '@signetry/pki/hidden-characters';
import { formatDateTime } from '../../format/dates.ts';
import { Reading } from '../../kit/reading.tsx';
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
      <Reading of={parsed} what="the extensions">
        {({ extensions }) => (
          <ul className={classes.extensions}>
            {extensions.map((extension) => (
              <Extension key={extension.oid} extension={extension} />
            ))}
          </ul>
        )}
      </Reading>
    </Panel>
  );
}

/** Of one that nobody knows, the identifier is the name. Telephones show a line of it until it is opened. */
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
        <Unread extension={extension} />
      </div>
    </li>
  );
}

const NARROW = '(max-width: 40em)';
/** More than a line of a telephone holds. */
const SUMMARY_LENGTH = 120;

/** What the extension says in one line, as far as there is room. */
function summaryOf({ values, problem, name }: ParsedExtensionDto): string {
  if (problem !== undefined) return 'Cannot be read';
  if (values.length === 0) return name === undefined ? 'Not known here' : 'Not read here';
  return visibleText(wordsOf(values)).slice(0, SUMMARY_LENGTH);
}

/** Values in a row with the same label say it once. */
const wordsOf = (values: readonly ParsedValueDto[]): string =>
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
      : wordsOf(members)
    : form === 'time'
      ? formatDateTime(text)
      : text;

/** What is not known or cannot be read is shown as it is. */
function Unread({ extension }: { readonly extension: ParsedExtensionDto }) {
  const { name, hex, problem } = extension;
  if (hex === undefined) return null;
  return (
    <div className={classes.unread}>
      {problem === undefined ? (
        <span className={classes.note}>
          {name === undefined ? 'This extension is not known here.' : 'What it says is not read here.'} Its value:
        </span>
      ) : (
        <>
          <State tone="warn">Cannot be read</State>
          <span className={classes.note}>{visibleText(problem.message)}. Its value:</span>
        </>
      )}
      <Octets hex={hex} what={`Value of ${name ?? extension.oid}`} />
    </div>
  );
}
