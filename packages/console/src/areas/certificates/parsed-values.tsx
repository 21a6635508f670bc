// Extension values as nested lists of labels and text. Consecutive values with the same label show it only once, but
// screen readers announce it for every value.
import type { ParsedValueDto } from '@signetry/contract';
import { VisuallyHidden } from '@mantine/core';
import { formatDateTime } from '../../format/dates.ts';
import { shownName } from '../../format/names.ts';
import { visibleText } from '@signetry/pki/hidden-characters';
import { Copy } from '../../ui/copy.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { Octets } from './octets.tsx';
import classes from './parsed-values.module.css';

/** Longer runs of values are collapsed, so that the values below them stay visible. */
const UNFOLDED = 10;

export function ParsedValues({ values }: { readonly values: readonly ParsedValueDto[] }) {
  if (values.length === 0) return null;
  return (
    <ul className={classes.values}>
      {runsOf(values).map((run, place) => (
        // oxlint-disable-next-line no-array-index-key -- what a certificate says does not change
        <Run key={place} run={run} />
      ))}
    </ul>
  );
}

/** Groups consecutive values that have the same label, in order. */
export function runsOf(values: readonly ParsedValueDto[]): ParsedValueDto[][] {
  const runs: ParsedValueDto[][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[0]?.label === value.label) last.push(value);
    else runs.push([value]);
  }
  return runs;
}

function Run({ run }: { readonly run: readonly ParsedValueDto[] }) {
  const [first] = run;
  const isFolded = run.length > UNFOLDED && run.every(isPlain);
  if (first !== undefined && isFolded)
    return (
      <li className={classes.value}>
        <span className={classes.label}>{first.label}</span>
        <span className={classes.text}>
          <FoldedNames names={run.map(({ text = '' }) => shownName(text))} />
        </span>
      </li>
    );
  return run.map((value, place) => {
    const isBelow = place > 0 && run[place - 1]?.members === undefined;
    // oxlint-disable-next-line no-array-index-key -- what a certificate says does not change
    return <Value key={place} value={value} isRepeated={isBelow} />;
  });
}

const isPlain = ({ form, oid, members }: ParsedValueDto): boolean =>
  form !== 'hex' && oid === undefined && members === undefined;

function Value({ value, isRepeated }: { readonly value: ParsedValueDto; readonly isRepeated: boolean }) {
  const { label, text, oid, members = [] } = value;
  const name = visibleText(label);
  // A label without text is a statement or a heading, and is never omitted.
  if (text === undefined)
    return (
      <li className={classes.group}>
        <span className={members.length > 0 ? classes.label : undefined}>{name}</span> <Oid oid={oid} />
        <Members members={members} />
      </li>
    );
  return (
    <li className={classes.value}>
      <span className={classes.label}>{isRepeated ? <VisuallyHidden>{name}</VisuallyHidden> : name}</span>
      <span className={classes.text}>
        <Content value={value} text={text} /> <Oid oid={oid === text || oid === label ? undefined : oid} />
      </span>
      <Members members={members} />
    </li>
  );
}

const Members = ({ members }: { readonly members: readonly ParsedValueDto[] }) =>
  members.length === 0 ? null : (
    <div className={classes.members}>
      <ParsedValues values={members} />
    </div>
  );

const Oid = ({ oid }: { readonly oid: string | undefined }) =>
  oid === undefined ? null : <span className={classes.oid}>{oid}</span>;

/** URLs are not links, because they are untrusted content of the certificate. */
function Content({ value, text }: { readonly value: ParsedValueDto; readonly text: string }) {
  const { label, form, oid } = value;
  switch (form) {
    case 'hex':
      return <Octets hex={text} what={label} />;
    case 'time':
      return <time dateTime={text}>{formatDateTime(text)}</time>;
    case 'uri':
      return (
        <span className={classes.uri}>
          <bdi>{visibleText(text)}</bdi>
          <Copy text={text} what={label} />
        </span>
      );
    default:
      return oid === text ? <span className={classes.number}>{text}</span> : <bdi>{shownName(text)}</bdi>;
  }
}
