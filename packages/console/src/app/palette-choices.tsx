// Command palette results: pages and actions by name, objects from short lists that the user can read, and ACME
// accounts and certificates found by the platform.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FoundAcmeAccount, KeyItemDto, Resource } from '@signetry/contract';
import { signOut, useMayList } from '../api/session.ts';
import type { ListedCertificate } from '../areas/certificates/shapes.ts';
import { CertificateState } from '../areas/certificates/state.tsx';
import { formatDate } from '../format/dates.ts';
import { titleOf } from '../format/names.ts';
import { paths, type ObjectPaths } from '../kit/paths.ts';
import { useMay } from '../kit/use-may.ts';
import { accountSearchQuery, profileListQuery } from '../queries/acme.ts';
import { approvalProfileListQuery } from '../queries/approval-profiles.ts';
import { authorityListQuery } from '../queries/authorities.ts';
import { certificateSearchQuery } from '../queries/certificates.ts';
import { keyListQuery } from '../queries/keys.ts';
import { raProfileListQuery } from '../queries/ra-profiles.ts';
import { tokenListQuery, tokenProfileListQuery } from '../queries/tokens.ts';
import type { Right } from '../kit/rights.ts';
import classes from './command-palette.module.css';
import { useMenu } from './use-menu.ts';
import { openKeyHelp } from './key-help.tsx';

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail: React.ReactNode;
  /** Path to open, or function to run. */
  readonly to?: string;
  readonly run?: () => void;
}

/** Maximum number of certificates, and of objects from each list. */
const FOUND = 8;
const FOUND_OF_LIST = 5;

/** ACME account IDs are random, so a shorter input cannot identify an account. */
const MAYBE_ACCOUNT = /^[\w-]{4,200}$/;

export interface Choices {
  readonly choices: readonly Choice[];
  readonly isSearching: boolean;
}

/** Matches loaded data immediately, and queries the platform after a short pause in typing. */
export function useChoices(text: string): Choices {
  const [wanted] = useDebouncedValue(text.trim(), 150);
  const mayList = useMayList();
  const search = useQuery({
    ...certificateSearchQuery(wanted, FOUND),
    enabled: wanted !== '' && mayList('certificates'),
  });
  const accounts = useQuery({
    ...accountSearchQuery(wanted, FOUND_OF_LIST),
    enabled: MAYBE_ACCOUNT.test(wanted) && mayList('acmeAccounts'),
  });
  const keys = useQuery({
    ...keyListQuery({ text: wanted }, 2 * FOUND_OF_LIST),
    enabled: wanted !== '' && mayList('keys'),
  });
  const lower = text.trim().toLowerCase();
  const matchesText = ({ label }: { readonly label: string }): boolean => label.toLowerCase().includes(lower);
  const pages = useMenu().flatMap((group) => group.pages);
  const named = [...pages.map(({ to, label }) => ({ id: to, label, detail: 'Page', to })), ...useActionChoices()];
  const objects = useObjectChoices(lower);
  const found = wanted === '' ? [] : (search.data?.certificates ?? []);
  const foundAccounts = MAYBE_ACCOUNT.test(wanted) ? (accounts.data ?? []) : [];
  const foundKeys = wanted === '' ? [] : keyChoices(keys.data?.cryptographicKeys ?? []);
  return {
    choices: [
      ...named.filter(matchesText),
      ...objects,
      ...foundKeys,
      ...foundAccounts.map(accountChoice),
      ...found.map(certificateChoice),
    ],
    isSearching: search.isFetching || accounts.isFetching || keys.isFetching,
  };
}

function useActionChoices(): readonly Choice[] {
  const may = useMay();
  return paletteActions
    .filter(({ needs }) => needs === undefined || may(needs))
    .map(({ label, ...action }) => ({ id: label, label, detail: 'Action', ...action }));
}

interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

/** Returns the objects whose names contain the text. The lists of objects are fetched once the user starts typing. */
function useObjectChoices(text: string): readonly Choice[] {
  const mayList = useMayList();
  const withEnabled = <Query extends object>(resource: Resource, query: Query) => ({
    ...query,
    enabled: text !== '' && mayList(resource),
  });
  const authorities = useQuery(withEnabled('authorities', authorityListQuery)).data;
  const raProfiles = useQuery(withEnabled('raProfiles', raProfileListQuery)).data;
  const acmeProfiles = useQuery(withEnabled('acmeProfiles', profileListQuery)).data;
  const approvalProfiles = useQuery(withEnabled('approvalProfiles', approvalProfileListQuery)).data;
  const tokens = useQuery(withEnabled('tokens', tokenListQuery)).data;
  const tokenProfiles = useQuery(withEnabled('tokenProfiles', tokenProfileListQuery)).data;
  const findMatches = <Object extends NamedObject>(objects: readonly Object[] = []): readonly Object[] =>
    objects.filter(({ name }) => name.toLowerCase().includes(text)).slice(0, FOUND_OF_LIST);
  const of = (objects: readonly NamedObject[] | undefined, detail: string, where: ObjectPaths): readonly Choice[] =>
    findMatches(objects).map(({ uuid, name }) => ({ id: uuid, label: name, detail, to: where.one(uuid) }));
  if (text === '') return [];
  return [
    ...of(authorities, 'Authority', paths.authorities),
    ...of(raProfiles, 'RA profile', paths.raProfiles),
    ...of(acmeProfiles, 'ACME profile', paths.acme),
    ...of(approvalProfiles, 'Approval profile', paths.approvalProfiles),
    ...of(tokens, 'Token', paths.tokens),
    ...findMatches(tokenProfiles).map(({ uuid, name, tokenInstanceUuid }) => ({
      id: uuid,
      label: name,
      detail: 'Token profile',
      to: paths.tokenProfiles.of(tokenInstanceUuid).one(uuid),
    })),
  ];
}

const accountChoice = ({ uuid, accountId, acmeProfileUuid, acmeProfileName }: FoundAcmeAccount): Choice => ({
  id: uuid,
  label: accountId,
  detail: `ACME account of ${acmeProfileName}`,
  to: paths.acme.account(acmeProfileUuid, uuid),
});

/** Both keys of a pair lead to the same page, so each pair is listed only once. */
const keyChoices = (items: readonly KeyItemDto[]): readonly Choice[] =>
  [...new Map(items.map((item) => [item.keyWrapperUuid, item])).values()]
    .slice(0, FOUND_OF_LIST)
    .map(({ keyWrapperUuid: uuid, keyName, keyAlgorithm }) => ({
      id: uuid,
      label: keyName,
      detail: `Key, ${keyAlgorithm}`,
      to: paths.keys.one(uuid),
    }));

const certificateChoice = (certificate: ListedCertificate): Choice => ({
  id: certificate.uuid,
  label: titleOf(certificate),
  detail: (
    <>
      <CertificateState certificate={certificate} />
      {certificate.notAfter && <span className={classes.until}>until {formatDate(certificate.notAfter)}</span>}
    </>
  ),
  to: paths.certificates.one(certificate.uuid),
});

/** Action in the command palette, in addition to pages and objects. */
interface PaletteAction {
  readonly label: string;
  readonly needs?: Right;
  readonly to?: string;
  readonly run?: () => void;
}

const paletteActions: readonly PaletteAction[] = [
  { label: 'Issue a certificate', needs: ['certificates', 'issue'], to: paths.issue },
  { label: 'New authority', needs: ['authorities', 'create'], to: paths.authorities.new },
  { label: 'New RA profile', needs: ['raProfiles', 'create'], to: paths.raProfiles.new },
  { label: 'New ACME profile', needs: ['acmeProfiles', 'create'], to: paths.acme.new },
  { label: 'New CMP profile', needs: ['cmpProfiles', 'create'], to: paths.cmp.new },
  { label: 'New SCEP profile', needs: ['scepProfiles', 'create'], to: paths.scep.new },
  { label: 'New EST profile', needs: ['raProfiles', 'update'], to: paths.est.new },
  { label: 'New key', needs: ['keys', 'create'], to: paths.keys.new },
  { label: 'New token', needs: ['tokens', 'create'], to: paths.tokens.new },
  { label: 'New token profile', needs: ['tokenProfiles', 'create'], to: paths.tokenProfiles.new },
  { label: 'New target', needs: ['entities', 'create'], to: paths.entities.new },
  { label: 'New location', needs: ['locations', 'create'], to: paths.locations.new },
  { label: 'New user', needs: ['users', 'create'], to: paths.users.new },
  { label: 'New role', needs: ['roles', 'create'], to: paths.roles.new },
  { label: 'New group', needs: ['groups', 'create'], to: paths.groups.new },
  { label: 'New approval profile', needs: ['approvalProfiles', 'create'], to: paths.approvalProfiles.new },
  { label: 'New connector', needs: ['connectors', 'create'], to: paths.connectors.new },
  { label: 'New credential', needs: ['credentials', 'create'], to: paths.credentials.new },
  { label: 'New custom attribute', needs: ['attributes', 'create'], to: paths.customAttributes.new },
  { label: 'New object identifier', needs: ['oids', 'create'], to: paths.oids.new },
  { label: 'Your profile', to: paths.profile },
  { label: 'Show keyboard shortcuts', run: openKeyHelp },
  { label: 'Sign out', run: () => void signOut() },
];
