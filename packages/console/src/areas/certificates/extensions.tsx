// The extensions of a certificate, each by its name and what it says.
import { Title } from '@mantine/core';
import type { ParsedExtensionDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { visibleText } from '@signetry/pki/hidden-characters';
import { Reading } from '../../kit/reading.tsx';
import { parsedQuery } from '../../queries/certificates.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import classes from './extensions.module.css';
import { Octets } from './octets.tsx';
import { ParsedValues } from './parsed-values.tsx';

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

/** Of one that nobody knows, the identifier is the name. */
function Extension({ extension }: { readonly extension: ParsedExtensionDto }) {
  const { oid, name, critical, values } = extension;
  return (
    <li className={classes.extension}>
      <div className={classes.head}>
        <Title order={3} className={classes.name}>
          {name ?? oid}
        </Title>
        {name !== undefined && <span className={classes.oid}>{oid}</span>}
        {critical && <span className={classes.critical}>Critical</span>}
      </div>
      <div className={classes.body}>
        <ParsedValues values={values} />
        <Unread extension={extension} />
      </div>
    </li>
  );
}

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
