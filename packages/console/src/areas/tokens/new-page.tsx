// Creates a token. Its kind determines the other fields.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { kindsOfTokens, describeKind } from '../connectors/kinds.ts';
import { TokenForm } from './token-form.tsx';

export const NewTokenPage = () => (
  <NewInstancePage
    title="New token"
    description="Creates a token at a connector, or registers an existing token that the connector can reach. Some tokens must be activated before their keys can be used."
    parent={{ to: paths.tokens.list, label: 'Tokens' }}
    what="tokens"
    kindsOf={kindsOfTokens}
    wordsOf={describeKind}
    form={(fields) => <TokenForm {...fields} />}
  />
);
