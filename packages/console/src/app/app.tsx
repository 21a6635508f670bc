// The root component: theme, server state and routes. Mantine's styles are in a cascade layer, so the console's styles
// take precedence regardless of the load order. Each component imports its own styles (build-plugins.ts); the imports
// below are the base that they share.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './global.css';
import './print.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { Notices } from '../ui/notices.tsx';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

/** The content security policy allows only styles with this nonce. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
// The scroll lock in Mantine dialogs inserts its own style element and reads the nonce from this global variable.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}
