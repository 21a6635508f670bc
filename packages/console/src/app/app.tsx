// The frame of everything: theme, server state, session, routes.
// In a layer: what the console says about a place holds whatever the order in which styles are loaded. Those of
// components come with them (build-plugins.ts); these are the ground for all.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { Notices } from '../ui/notices.tsx';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

/** The page allows styles with its own nonce only. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
// The part of Mantine that keeps the page from scrolling under a dialog makes a style too, and looks for the nonce
// here.
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
