import { createRoot } from 'react-dom/client';
import { followLinks } from './address.ts';
import { App } from './app.tsx';
import { askWho } from './session.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/models.css';
import './styles/people.css';
import './styles/prose.css';
import './styles/threads.css';

followLinks();
createRoot(document.getElementById('page') as HTMLElement).render(<App />);
void askWho();
