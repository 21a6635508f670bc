// Keys and signature algorithms of active certificates, by expiry year. The figures are always shown as a table.
import { Text } from '@mantine/core';
import type { CertificateComposition } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatRelative } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { compositionQuery } from '../../queries/inventory-statistics.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { CountLink } from './count-link.tsx';
import classes from './insights.module.css';
import {
  isQuantumSafe,
  countOutlivingDeprecation,
  countOutlivingDisallowance,
  rowsOf,
  searchOfCell,
  spansFrom,
  totalOf,
  keyStrengthOf,
  type CountFacts,
  type KeyRow,
  type Span,
} from './key-matrix.ts';

interface Props {
  readonly includeArchived: boolean;
}

export function Keys({ includeArchived }: Props) {
  return (
    <QueryView of={useQuery(compositionQuery(includeArchived))} what="the keys" inPanel>
      {(composition) => <KeyPanel composition={composition} includeArchived={includeArchived} />}
    </QueryView>
  );
}

function KeyPanel({ composition, includeArchived }: Props & { readonly composition: CertificateComposition }) {
  const { keys, countedAt } = composition;
  const asked = { countedAt, includeArchived };
  const spans = spansFrom(new Date(countedAt).getUTCFullYear());
  const rows = rowsOf(keys, spans);
  const [deprecated, disallowed] = [countOutlivingDeprecation(keys, asked), countOutlivingDisallowance(keys, asked)];
  return (
    <Panel title="Keys and signatures by year of expiry">
      <Text size="sm" c="dimmed" mb="md" maw="60rem">
        Active certificates: issued and not expired. NIST IR 8547 deprecates keys with at most 112 bits of security (RSA
        below 3072 bits) after 2030 and disallows all RSA and elliptic curve keys after 2035, because quantum computers
        may break them.
        {isOld(countedAt) && ` Last updated ${formatRelative(countedAt)}.`}
      </Text>
      <ul className={classes.totals}>
        <li>
          <State tone="warn">Deprecated at expiry</State>
          <span>
            <CountLink {...deprecated} what="expiring after 2030 with a key of at most 112 bits of security" /> expiring
            after 2030 with a key of at most 112 bits of security
          </span>
        </li>
        <li>
          <State tone="bad">Disallowed at expiry</State>
          <span>
            <CountLink {...disallowed} what="expiring after 2035 with a key that is not quantum-safe" /> expiring after
            2035 with a key that is not quantum-safe
          </span>
        </li>
      </ul>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm">
          No active certificates
        </Text>
      ) : (
        <Matrix rows={rows} spans={spans} asked={asked} />
      )}
    </Panel>
  );
}

const isOld = (countedAt: string): boolean => Date.now() - Date.parse(countedAt) > 60_000;

interface MatrixProps {
  readonly rows: readonly KeyRow[];
  readonly spans: readonly Span[];
  readonly asked: CountFacts;
}

function Matrix({ rows, spans, asked }: MatrixProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard
    <div className={classes.matrixFrame} tabIndex={0} role="region" aria-label="Keys by year of expiry">
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">Key and signature</th>
            {spans.map(({ label }) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyNameOf(row)}>
              <th scope="row">
                {keyNameOf(row)}
                {isQuantumSafe(row) && <State tone="good">Quantum-safe</State>}
                <Text span size="xs" c="dimmed">
                  {row.signatureAlgorithm ?? 'unknown signature algorithm'}
                </Text>
              </th>
              {spans.map((span, place) => (
                <Cell key={span.label} count={row.certificates[place] ?? 0} {...{ row, span, asked }} />
              ))}
              <td>{formatCount(totalOf(row))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns `RSA 2048`; the names of newer algorithms already include the size. */
const keyNameOf = ({ publicKeyAlgorithm, keySize }: KeyRow): string =>
  /\d/.test(publicKeyAlgorithm) || keySize === 0 ? publicKeyAlgorithm : `${publicKeyAlgorithm} ${keySize}`;

interface CellProps {
  readonly count: number;
  readonly row: KeyRow;
  readonly span: Span;
  readonly asked: CountFacts;
}

function Cell({ count, row, span, asked }: CellProps) {
  const verdict = count === 0 ? undefined : keyStrengthOf(row, span);
  return (
    <td data-verdict={verdict} data-none={count === 0 || undefined}>
      <CountLink
        count={count}
        search={searchOfCell(row, span, asked)}
        what={`with ${keyNameOf(row)}, signed with ${row.signatureAlgorithm ?? 'an unknown algorithm'}, expiry: ${span.label}`}
      />
      {verdict && (
        <span className={classes.verdict}>
          <State tone={verdict === 'disallowed' ? 'bad' : 'warn'}>
            {verdict === 'disallowed' ? 'Disallowed' : 'Deprecated'}
          </State>
        </span>
      )}
    </td>
  );
}
