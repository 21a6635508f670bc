// Issuers of active certificates as a treemap, sized by the number of certificates. Selecting an issuer shows its
// chain.
import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { CertificateComposition, CertificateIssuerShare } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { compositionQuery } from '../../queries/inventory-statistics.ts';
import { State } from '../../ui/state.tsx';
import { expiresFrom, inState, issuedBy, listOf, withArchive } from '../certificates/filters.ts';
import { formatCertificateCount, CountLink } from './count-link.tsx';
import { FigurePanel } from './figure-panel.tsx';
import type { InsightsSearch } from './insights-search.ts';
import classes from './issuers.module.css';
import { issuerName, trustOf } from './issuer-tree.ts';
import { IssuerChain } from './issuer-chain.tsx';
import { treemap } from './treemap.ts';

interface Props {
  readonly includeArchived: boolean;
}

export function Issuers({ includeArchived }: Props) {
  return (
    <QueryView of={useQuery(compositionQuery(includeArchived))} what="the issuers" inPanel>
      {(composition) => <IssuerPanels composition={composition} includeArchived={includeArchived} />}
    </QueryView>
  );
}

function IssuerPanels({ composition, includeArchived }: Props & { readonly composition: CertificateComposition }) {
  const { issuers, byOtherIssuers, countedAt } = composition;
  const { issuer: chosen }: InsightsSearch = useSearch({ strict: false });
  const searchOf = ({ issuerDn, issuerCommonName }: CertificateIssuerShare): CertificateSearch =>
    withArchive(
      listOf([inState('issued'), expiresFrom(new Date(countedAt)), ...issuedBy(issuerDn, issuerCommonName)]),
      includeArchived,
    );
  const shown = issuers.find(({ issuerDn }) => issuerDn === chosen);
  return (
    <div className={classes.panels}>
      <FigurePanel
        isWide
        title="Active certificates by issuer"
        description={
          'Issued certificates that have not expired, by issuer. Choose an issuer to see its chain.' +
          (byOtherIssuers > 0
            ? ` Not shown: ${formatCertificateCount(byOtherIssuers)} of issuers beyond the largest 1,000.`
            : '')
        }
        countedAt={countedAt}
        rows={issuers}
        keyOf={({ issuerDn }) => issuerDn}
        columns={[
          {
            key: 'issuer',
            title: 'Issuer',
            cell: (issuer) => (
              <Anchor
                component={Link}
                to={paths.insights}
                search={chainSearch(issuer, includeArchived) as never}
                resetScroll={false}
                inherit
              >
                {issuerName(issuer)}
              </Anchor>
            ),
          },
          { key: 'trust', title: 'Trust', cell: (issuer) => <TrustMark issuer={issuer} issuers={issuers} /> },
          {
            key: 'certificates',
            title: 'Certificates',
            align: 'right',
            cell: (issuer) => (
              <CountLink
                count={issuer.certificates}
                search={searchOf(issuer)}
                what={`issued by ${issuerName(issuer)}`}
              />
            ),
          },
        ]}
        chart={<Treemap issuers={issuers} chosen={chosen} includeArchived={includeArchived} />}
      />
      {shown && (
        <IssuerChain
          issuer={shown}
          issuers={issuers}
          searchOf={searchOf}
          chainOfOther={(other) => chainSearch(other, includeArchived)}
        />
      )}
    </div>
  );
}

function TrustMark({
  issuer,
  issuers,
}: {
  readonly issuer: CertificateIssuerShare;
  readonly issuers: readonly CertificateIssuerShare[];
}) {
  const { tone, word } = trustOf(issuer, issuers);
  return <State tone={tone}>{word}</State>;
}

const chainSearch = ({ issuerDn }: CertificateIssuerShare, includeArchived: boolean): InsightsSearch => ({
  tab: 'issuers',
  issuer: issuerDn,
  ...(includeArchived ? { includeArchived } : {}),
});

const HEIGHT = 384;
const MOST_TILES = 40;
/** Minimum area that fits a name and a number. Issuers whose tiles would be smaller are shown only in the table. */
const TILE_AREA = 9_000;

function Treemap(
  props: Props & {
    readonly issuers: readonly CertificateIssuerShare[];
    readonly chosen: string | undefined;
  },
) {
  const { issuers, chosen, includeArchived } = props;
  const { ref, width } = useElementSize();
  if (issuers.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No active certificates
      </Text>
    );
  const shown = Math.min(MOST_TILES, Math.floor((width * HEIGHT) / TILE_AREA));
  const rest = issuers.length - shown;
  return (
    <>
      <ul ref={ref} className={classes.treemap} style={{ height: HEIGHT }} aria-label="Issuers, largest first">
        {width > 0 &&
          treemap(issuers.slice(0, shown), tileWeightOf, width / HEIGHT).map(({ item, ...place }) => (
            <li key={item.issuerDn} style={percentOf(place)}>
              <Link
                to={paths.insights}
                search={chainSearch(item, includeArchived) as never}
                resetScroll={false}
                className={classes.tile}
                aria-current={item.issuerDn === chosen ? 'true' : undefined}
                title={`${issuerName(item)}: ${formatCertificateCount(item.certificates)}`}
                data-tone={trustOf(item, issuers).tone}
              >
                <span className={classes.tileName}>{issuerName(item)}</span>
                <span>
                  {formatCount(item.certificates)} <VisuallyHidden>active</VisuallyHidden>
                </span>
                <span className={classes.tileTrust}>{trustOf(item, issuers).word}</span>
              </Link>
            </li>
          ))}
      </ul>
      {width > 0 && rest > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {rest === 1 ? '1 more issuer is' : `${formatCount(rest)} more issuers are`} listed in the table.
        </Text>
      )}
      <div className={classes.legend}>
        <State tone="good">Trusted, or chains to a trusted CA</State>
        <State tone="none">Not trusted</State>
        <State tone="wait">Not in the inventory</State>
        <Text span size="xs" c="dimmed">
          The area is proportional to the square root of the count, so that small issuers stay visible.
        </Text>
      </div>
    </>
  );
}

/** If tiles were sized by the count itself, a single large issuer would leave the other tiles too small to select. */
const tileWeightOf = ({ certificates }: CertificateIssuerShare): number => Math.sqrt(certificates);

const percentOf = (place: {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}) => ({
  left: `${place.left * 100}%`,
  top: `${place.top * 100}%`,
  width: `${place.width * 100}%`,
  height: `${place.height * 100}%`,
});
