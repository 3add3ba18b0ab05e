import { type McpTool, tools as mcpTools } from '../../../src/mcp/tools.ts';
import type { Caller } from '../caller.ts';
import { shapeOf, valueFor } from '../generate.ts';
import type { Tactic } from '../tactic.ts';
import { hostileString, hostileValue } from '../values.ts';
import { inParallel, repeat } from '../waiting.ts';

const EACH = 6;

/** Every tool, resource and prompt of MCP with hostile arguments, and MCP itself with hostile messages. */
export const tools: Tactic = {
  name: 'tools',
  rules: '[I8]',
  async run({ house, random, scale, intruder }) {
    const mallory = await intruder();
    const how = () => ({ random, house, oneIn: random.pick([3, 6, 100]) });
    const calls = Object.entries<McpTool>(mcpTools).flatMap(([name, { input }]) =>
      repeat(EACH * scale, () => {
        const given = valueFor(shapeOf(input), how()) as Record<string, unknown>;
        // Waiting is not what is tried here.
        return {
          method: 'tools/call',
          params: { name, arguments: { ...given, ...(name === 'wait' && { seconds: 0 }) } },
        };
      }),
    );
    const others = repeat(EACH * scale, () => [
      {
        method: 'resources/read',
        params: { uri: `heddle://threads/${encodeURIComponent(hostileString(random, house).toWellFormed())}` },
      },
      { method: 'prompts/get', params: { name: 'catch_up', arguments: { thread: hostileString(random, house) } } },
      { method: hostileString(random, house), params: hostileValue(random, house) },
      { method: 'tools/call', params: { name: hostileString(random, house), arguments: hostileValue(random, house) } },
    ]).flat();
    await inParallel([...calls, ...others], 4, (message) => callMcp(mallory, message));
  },
};

export function callMcp(caller: Caller, message: object) {
  return caller.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, ...message },
    {
      route: '/mcp',
      patienceMs: 10_000,
      toEnd: true,
      headers: { accept: 'application/json, text/event-stream' },
    },
  );
}

/** What a tool answered; MCP sends it as JSON in a text, in JSON, and sometimes in a stream. */
export function toolResult<T>(text = ''): T | undefined {
  const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}');
  const { result } = JSON.parse(json) as { result?: { content?: readonly { text: string }[] } };
  const [first] = result?.content ?? [];
  return first && (JSON.parse(first.text) as T);
}
