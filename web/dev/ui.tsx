import { createRoot } from 'react-dom/client';
import { applyTheme } from '../shell/theme.ts';
import { UiRoot } from '../ui/ui-root.tsx';
import { Gallery } from './gallery.tsx';
import '../styles/fonts.ts';
import '../styles/tokens.css';
import '../styles/hues.css';
import '../styles/base.css';
import './gallery.css';

applyTheme();
createRoot(document.getElementById('page') as HTMLElement).render(
  <UiRoot>
    <Gallery />
  </UiRoot>,
);
