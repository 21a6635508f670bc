// Entry point of the console.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { ownPermissionsQuery, profileQuery } from './api/session.ts';
import './app/first-paint.css';
import { App } from './app/app.tsx';

// Requested before the first render because everything depends on the response.
void queryClient.prefetchQuery(profileQuery);
void queryClient.prefetchQuery(ownPermissionsQuery);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
