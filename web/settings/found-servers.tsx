import { Cpu } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { pluralize } from '../../src/core/text/pluralize.ts';
import { client } from '../data/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { PRESETS, suggestName } from './presets.ts';
import { Row, Rows, Tile } from './rows.tsx';
import { SettingsSection } from './section.tsx';

interface FoundServer {
  readonly name: string;
  readonly provider: string;
  readonly url: string;
  readonly models: readonly string[];
}

interface FoundServersProps {
  readonly existing: readonly WireModel[];
  onAdded(name: string): Promise<void>;
}

const MAX_SHOWN = 6;

/** Servers of models that run on this computer and are not used yet. */
export function FoundServers({ existing, onAdded }: FoundServersProps) {
  const servers = useFoundServers();
  const { attempt, busy, refusal } = useAttempt();
  const isAdded = (server: FoundServer, model: string) =>
    existing.some((each) => each.base_url === server.url && each.model === model);
  const fresh = servers
    .map((server) => ({ ...server, models: server.models.filter((model) => !isAdded(server, model)) }))
    .filter(({ models }) => models.length > 0);

  async function add({ provider, url: base_url }: FoundServer, model: string): Promise<void> {
    const name = suggestName(model, new Set(existing.map((each) => each.name)));
    if (await attempt(() => client.models.add({ name, entry: { provider, base_url, model } }))) await onAdded(name);
  }

  if (fresh.length === 0) return null;
  return (
    <SettingsSection id="found" label="Found on this computer" text="Nothing is sent to a model until you add it.">
      <Rows>
        {fresh.flatMap((server) => [
          <Row
            key={server.name}
            icon={<Tile icon={Cpu} />}
            title={server.name}
            text={`Running at ${new URL(server.url).host} · ${pluralize(server.models.length, 'model')}, free`}
          />,
          ...server.models.slice(0, MAX_SHOWN).map((model) => (
            <Row
              key={`${server.name} ${model}`}
              title={escapeBidi(model)}
              actions={
                <Button aria-label={`Add ${model}`} disabled={busy} onClick={() => void add(server, model)}>
                  Add
                </Button>
              }
            />
          )),
        ])}
      </Rows>
      <RefusalMessage reason={refusal} />
    </SettingsSection>
  );
}

/** Asked once, when the settings open. A server that lets other machines in refuses to look. */
function useFoundServers(): readonly FoundServer[] {
  const [found, setFound] = useState<readonly FoundServer[]>([]);
  useEffect(() => {
    let isCurrent = true;
    for (const { name, provider, url, needs } of PRESETS) {
      if (needs !== 'server' || url === undefined || provider === 'scripted') continue;
      client.models.askServer({ provider, base_url: url }).then(
        ({ models }) => {
          if (isCurrent && models.length > 0) setFound((all) => [...all, { name, provider, url, models }]);
        },
        () => {},
      );
    }
    return () => {
      isCurrent = false;
    };
  }, []);
  return found;
}
