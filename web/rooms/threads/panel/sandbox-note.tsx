import { useEffect, useState } from 'react';
import type { WireAgent } from '../../../../src/client/index.ts';
import { client as server } from '../../../data/session.ts';

/** For a participant whose client is a program: what that program can see of the workspace (I10). */
export function SandboxNote({ client }: { readonly client: string | undefined }) {
  const [agents, setAgents] = useState<readonly WireAgent[]>([]);
  const isProgram = client !== undefined && client !== 'model';
  useEffect(() => {
    if (!isProgram) return;
    server.agents().then(
      (response) => setAgents(response.agents),
      // Without an answer, claim nothing.
      () => {},
    );
  }, [isProgram]);
  const sentence = agents.find(({ name }) => name === client)?.sandbox.sentence;
  return sentence === undefined ? null : <p className="soft">{sentence}</p>;
}
