import { KEYS } from './keys.ts';
import { Sheet } from './sheet.tsx';

export function KeyMap({ onClose }: { onClose(): void }) {
  return (
    <Sheet label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl className="keys">
        {KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="act" onClick={onClose}>
        Close
      </button>
    </Sheet>
  );
}
