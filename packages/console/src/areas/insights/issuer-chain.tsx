// Graph of an issuer's chain, from the root down to the issuer, followed by the issuer's subordinates.
import { Anchor, Text } from '@mantine/core';
import type { CertificateIssuerShare } from '@signetry/contract';
import { Link } from '@tanstack/react-router';
import { visibleText } from '@signetry/pki/hidden-characters';
import { paths } from '../../kit/paths.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { CountLink } from './count-link.tsx';
import { findCertifiedIssuers, chainOf, issuerName, missingIssuerOf, trustOf } from './issuer-tree.ts';
import type { InsightsSearch } from './insights-search.ts';
import classes from './issuers.module.css';

interface Props {
  readonly issuer: CertificateIssuerShare;
  readonly issuers: readonly CertificateIssuerShare[];
  readonly searchOf: (issuer: CertificateIssuerShare) => CertificateSearch;
  readonly chainOfOther: (issuer: CertificateIssuerShare) => InsightsSearch;
}

export function IssuerChain(props: Props) {
  const { issuer, issuers } = props;
  const chain = chainOf(issuer.issuerDn, issuers);
  const missing = missingIssuerOf(chain);
  const below = findCertifiedIssuers(issuer.issuerDn, issuers);
  return (
    <Panel title={`Chain of ${issuerName(issuer)}`}>
      <ol className={classes.chain}>
        {missing !== undefined && (
          <li className={classes.node} data-missing>
            <span className={classes.nodeHead}>
              <Text span fw={600}>
                {visibleText(missing)}
              </Text>
              <State tone="wait">Not in the inventory</State>
            </span>
          </li>
        )}
        {chain.map((each) => (
          <Node key={each.issuerDn} {...props} node={each} isChosen={each === issuer} />
        ))}
      </ol>
      {below.length > 0 && (
        <>
          <h3 className={classes.belowTitle}>Subordinate issuers</h3>
          <ul className={classes.below}>
            {below.map((each) => (
              <Node key={each.issuerDn} {...props} node={each} isChosen={false} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Node(props: Props & { readonly node: CertificateIssuerShare; readonly isChosen: boolean }) {
  const { node, isChosen, issuers, searchOf, chainOfOther } = props;
  const { tone, word } = trustOf(node, issuers);
  return (
    <li className={classes.node} aria-current={isChosen ? 'true' : undefined}>
      <span className={classes.nodeHead}>
        {isChosen ? (
          <Text span fw={650}>
            {issuerName(node)}
          </Text>
        ) : (
          <Anchor component={Link} to={paths.insights} search={chainOfOther(node) as never} resetScroll={false} inherit>
            {issuerName(node)}
          </Anchor>
        )}
        <State tone={tone}>{word}</State>
      </span>
      <span className={classes.nodeFoot}>
        <span>
          Issued: <CountLink count={node.certificates} search={searchOf(node)} what={`issued by ${issuerName(node)}`} />{' '}
          active
        </span>
        {node.issuerUuid !== undefined && (
          <Anchor
            component={Link}
            to={paths.certificates.one(node.issuerUuid)}
            inherit
            aria-label={`CA certificate: ${issuerName(node)}`}
          >
            CA certificate
          </Anchor>
        )}
      </span>
    </li>
  );
}
