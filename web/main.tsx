import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadSession } from './data/session.ts';
import { claimTab } from './data/tab.ts';
import { followLinks } from './shell/address.ts';
import { registerServiceWorker } from './shell/service-worker.ts';
import { applyTheme } from './shell/theme.ts';
import { UiRoot } from './ui/ui-root.tsx';
import './styles/fonts.ts';
import './styles/tokens.css';
import './styles/hues.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/palette.css';
import './styles/people.css';
import './styles/print.css';
import './styles/threads.css';

applyTheme();
followLinks();
registerServiceWorker();
createRoot(document.getElementById('page') as HTMLElement).render(
  <UiRoot>
    <App />
  </UiRoot>,
);
void claimTab()
  .catch(() => {})
  .then(loadSession);
