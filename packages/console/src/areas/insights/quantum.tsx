// Quantum readiness of certificates and keys. Every number links to the counted objects.
import { Stack, Text } from '@mantine/core';
import type { CertificateComposition } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { compositionQuery } from '../../queries/inventory-statistics.ts';
import { keyFilter, type KeySearch } from '../../queries/key-search.ts';
import { keyCountQuery } from '../../queries/keys.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { listOf, withAlgorithm, withArchive, withValue } from '../certificates/filters.ts';
import { CountLink } from './count-link.tsx';
import classes from './insights.module.css';
import { filtersOfSpan, type CountFacts, type Span } from './key-matrix.ts';
import {
  countOf,
  pairingsOf,
  periodsFrom,
  searchOfPairing,
  sharesBy,
  type AlgorithmShare,
  type Pairing,
} from './readiness.ts';

interface Props {
  readonly includeArchived: boolean;
}

export function Quantum({ includeArchived }: Props) {
  const mayListKeys = useMayList()('keys');
  return (
    <Stack gap="lg">
      <QueryView of={useQuery(compositionQuery(includeArchived))} what="the algorithms" inPanel>
        {(composition) => <Certificates composition={composition} includeArchived={includeArchived} />}
      </QueryView>
      {mayListKeys && <KeysInTokens />}
    </Stack>
  );
}

function Certificates({ composition, includeArchived }: Props & { readonly composition: CertificateComposition }) {
  const { keys, countedAt } = composition;
  const asked = { countedAt, includeArchived };
  const periods = periodsFrom(new Date(countedAt).getUTCFullYear());
  const ever = { label: '', first: new Date(countedAt).getUTCFullYear(), last: Infinity };
  const searchActive = (filter: ReturnType<typeof withAlgorithm>) =>
    withArchive(listOf([filter, ...filtersOfSpan(ever, countedAt)], 'notAfter'), includeArchived);
  const unknown = countOf(keys.filter(({ signatureAlgorithm }) => signatureAlgorithm === undefined));
  return (
    <>
      <Panel title="Keys and signatures by expiry">
        <Text size="sm" c="dimmed" mb="md" maw="60rem">
          Active certificates, by their keys and by the signatures on them. A large quantum computer would break RSA and
          elliptic curves: it could forge such signatures and compute such private keys. NIST IR 8547 disallows them
          after 2035. Data that is encrypted today can be recorded and decrypted later, so migrate keys that protect
          long-lived secrets first, then CAs, because every certificate below a CA depends on its key.
          {unknown > 0 && ` Not counted: ${formatCount(unknown)} with an unknown signature algorithm.`}
        </Text>
        {keys.length === 0 ? (
          <Text c="dimmed" size="sm">
            No active certificates
          </Text>
        ) : (
          <Pairings pairings={pairingsOf(keys, periods)} periods={periods} asked={asked} />
        )}
      </Panel>
      <div className={classes.pair}>
        <Panel title="Certificate keys">
          <Shares
            shares={sharesBy(keys, ({ publicKeyAlgorithm }) => publicKeyAlgorithm)}
            what={(algorithm) => `with key algorithm ${algorithm}`}
            searchOf={(algorithm) => searchActive(withAlgorithm(algorithm))}
          />
        </Panel>
        <Panel title="Certificate signatures">
          <Shares
            shares={sharesBy(keys, ({ signatureAlgorithm }) => signatureAlgorithm)}
            what={(algorithm) => `signed with ${algorithm}`}
            searchOf={(algorithm) => searchActive(withValue('SIGNATURE_ALGORITHM', algorithm))}
          />
        </Panel>
      </div>
    </>
  );
}

const Verdict = ({ isSafe }: { readonly isSafe: boolean }) =>
  isSafe ? <State tone="good">Quantum-safe</State> : <State tone="bad">Quantum-vulnerable</State>;

const describeHalves = ({ isKeySafe, isSignatureSafe }: Pairing): readonly string[] => [
  `${isKeySafe ? 'Safe' : 'Vulnerable'} key,`,
  `${isSignatureSafe ? 'safe' : 'vulnerable'} signature`,
];

const describePairing = (pairing: Pairing): string => describeHalves(pairing).join(' ');

interface PairingsProps {
  readonly pairings: readonly Pairing[];
  readonly periods: readonly Span[];
  readonly asked: CountFacts;
}

function Pairings({ pairings, periods, asked }: PairingsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard
    <div className={classes.matrixFrame} tabIndex={0} role="region" aria-label="Quantum readiness by expiry">
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">Key and signature</th>
            {periods.map(({ label }) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairings.map((pairing) => (
            <tr key={describePairing(pairing)}>
              <th scope="row">
                {describeHalves(pairing).map((half) => (
                  <span key={half}>{half}</span>
                ))}
                <div>
                  <Verdict isSafe={pairing.isKeySafe && pairing.isSignatureSafe} />
                </div>
              </th>
              {periods.map((period, place) => (
                <td key={period.label} data-none={pairing.certificates[place] === 0 || undefined}>
                  <CountLink
                    count={pairing.certificates[place] ?? 0}
                    search={searchOfPairing(pairing, period, asked)}
                    what={`expiring ${period.label}: ${describePairing(pairing)}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SharesProps {
  readonly shares: readonly AlgorithmShare[];
  readonly what: (algorithm: string) => string;
  readonly searchOf: (algorithm: string) => ReturnType<typeof listOf>;
}

function Shares({ shares, what, searchOf }: SharesProps) {
  if (shares.length === 0) return <Text c="dimmed">None</Text>;
  return (
    <ul className={classes.totals}>
      {shares.map(({ algorithm, certificates, share, isSafe }) => (
        <li key={algorithm}>
          <Text fw={600}>{algorithm}</Text>
          <Verdict isSafe={isSafe} />
          <span>
            <CountLink count={certificates} search={searchOf(algorithm)} what={what(algorithm)} /> ({percentOf(share)})
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A small share is never rounded down to 0%. */
const percentOf = (share: number): string => (share > 0 && share < 0.01 ? 'under 1%' : `${Math.round(share * 100)}%`);

/** Returns the search for private, secret and split keys with these algorithms; destroyed keys are excluded. */
const keysOf = (algorithms: readonly string[]): KeySearch => ({
  filters: [
    keyFilter('CKI_CRYPTOGRAPHIC_ALGORITHM', algorithms),
    keyFilter('CKI_TYPE', ['Private', 'Secret', 'Split']),
    keyFilter('CKI_STATE', ['pre-active', 'active', 'deactivated', 'compromised']),
  ],
});

const classesOfKeys = [
  { name: 'RSA and ECDSA', search: keysOf(['RSA', 'ECDSA']), mark: <Verdict isSafe={false} /> },
  {
    name: 'ML-DSA, SLH-DSA, ML-KEM and Falcon',
    search: keysOf(['ML-DSA', 'SLH-DSA', 'ML-KEM', 'FALCON', 'CRYSTALS-Dilithium', 'SPHINCS+']),
    mark: <Verdict isSafe />,
  },
  { name: 'Other', search: keysOf(['Unknown']), mark: <State tone="none">Review each</State> },
] as const;

function KeysInTokens() {
  return (
    <Panel title="Keys in tokens">
      <Text size="sm" c="dimmed" mb="md" maw="60rem">
        Private and secret keys, excluding destroyed ones. The API has no names for some algorithms, which are counted
        under Other: Ed25519 and Ed448 are vulnerable, AES and HMAC are not.
      </Text>
      <ul className={classes.totals}>
        {classesOfKeys.map((each) => (
          <KeyClass key={each.name} {...each} />
        ))}
      </ul>
    </Panel>
  );
}

function KeyClass({ name, search, mark }: (typeof classesOfKeys)[number]) {
  return (
    <li>
      <Text fw={600}>{name}</Text>
      {mark}
      <QueryView of={useQuery(keyCountQuery(search))} what="the number of keys">
        {(count) =>
          count === 0 ? (
            <span className={classes.zero}>0</span>
          ) : (
            <Link
              to={paths.keys.list}
              search={search as never}
              className={classes.count}
              aria-label={`${formatCount(count)} keys: ${name}`}
            >
              {formatCount(count)}
            </Link>
          )
        }
      </QueryView>
    </li>
  );
}
