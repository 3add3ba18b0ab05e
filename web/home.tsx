import { pathTo } from './address.ts';
import { ListButton } from './frame.tsx';
import { useStore } from './store.ts';
import { visible } from './text/visible.ts';
import { inOrder } from './threads/order.ts';
import { rows } from './workspace.ts';

/** One sentence on what this is, and the ways to start. */
export function Home({ onNew }: { onNew(): void }) {
  const all = useStore(rows);
  const [latest] = inOrder([...(all?.values() ?? [])]);
  return (
    <main className="plain home">
      <ListButton />
      <p className="lead">A place where people and language models talk, and nothing said is lost.</p>
      <ul className="starts">
        {latest && (
          <li>
            <a href={pathTo(latest.row)} data-in-page dir="auto">
              Go on with “{visible(latest.row.title)}”
            </a>
          </li>
        )}
        <li>
          <button type="button" className="link" onClick={onNew}>
            Begin a thread
          </button>{' '}
          <kbd>n</kbd>
        </li>
        <li>
          <a href="/settings" data-in-page>
            Let an agent in
          </a>
        </li>
      </ul>
    </main>
  );
}
