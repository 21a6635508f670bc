// CA key in a token: shows what must be done before the authority can sign again.
import type { AuthorityInstanceDto, KeyDetailDto, TokenInstanceStatus } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useMay } from '../../kit/use-may.ts';
import { keyQuery } from '../../queries/keys.ts';
import { tokenQuery } from '../../queries/tokens.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { TokenState } from '../tokens/state.tsx';

/** Name of the attribute that holds the key of a built-in authority. */
const TOKEN_KEY = 'data_tokenKey';

interface AuthorityProps {
  readonly authority: AuthorityInstanceDto;
}

/** The returned values are undefined if the key is not in a token or if the user cannot see it. */
function useTokenKey({ attributes }: AuthorityInstanceDto) {
  const may = useMay();
  const [value] = attributes.find(({ name }) => name === TOKEN_KEY)?.content ?? [];
  const uuid = typeof value?.data === 'string' ? value.data : '';
  const { data: key } = useQuery({ ...keyQuery(uuid), enabled: uuid !== '' && may(['keys', 'detail', uuid]) });
  const tokenUuid = key?.tokenInstanceUuid ?? '';
  const { data: token } = useQuery({
    ...tokenQuery(tokenUuid),
    enabled: tokenUuid !== '' && may(['tokens', 'detail', tokenUuid]),
  });
  return { key, token };
}

const needs: Partial<Readonly<Record<TokenInstanceStatus, { readonly is: string; readonly todo: string }>>> = {
  Deactivated: { is: 'is deactivated', todo: 'Activate it' },
  Disconnected: { is: 'cannot be reached by its provider', todo: 'View its status' },
  Unknown: { is: 'does not respond', todo: 'View its status' },
};

export function SigningProblem({ authority }: AuthorityProps) {
  const { key, token } = useTokenKey(authority);
  if (!key) return null;
  const broken = describeKeyProblem(key);
  if (broken !== undefined)
    return (
      <Callout tone="bad" title="Cannot sign">
        The CA key {broken}.{' '}
        <TextLink to={paths.keys.one(key.uuid)} inSentence>
          Open the key
        </TextLink>
        .
      </Callout>
    );
  const need = token && needs[token.status.status];
  if (!token || !need) return null;
  return (
    <Callout tone="bad" title="Cannot sign">
      The CA key is in the token {token.name}, which {need.is}.{' '}
      <TextLink to={paths.tokens.one(token.uuid)} inSentence>
        {need.todo}
      </TextLink>
      . Until the token is available, no certificates are issued and no CRLs are signed.
    </Callout>
  );
}

function describeKeyProblem({ tokenInstanceUuid, tokenProfileUuid, items }: KeyDetailDto): string | undefined {
  if (tokenInstanceUuid === undefined) return 'was in a token that has been removed';
  if (tokenProfileUuid === undefined) return 'is not assigned to a token profile';
  const item = items.find(({ type }) => type === 'Private');
  if (item?.state !== 'active') return 'is no longer active';
  if (items.some(({ enabled }) => !enabled)) return 'is disabled';
  return item.usage?.includes('sign') ? undefined : 'does not permit signing';
}

export function TokenKey({ authority }: AuthorityProps) {
  const { key, token } = useTokenKey(authority);
  if (!key) return null;
  return (
    <Panel title="CA key">
      <Facts
        facts={[
          { name: 'Key', value: <TextLink to={paths.keys.one(key.uuid)}>{key.name}</TextLink> },
          {
            name: 'Token',
            value: token ? <TextLink to={paths.tokens.one(token.uuid)}>{token.name}</TextLink> : key.tokenInstanceName,
          },
          { name: 'Token state', value: token && <TokenState of={token.status.status} /> },
        ]}
      />
    </Panel>
  );
}
