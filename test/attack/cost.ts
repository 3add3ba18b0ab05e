import type { House } from './house.ts';

/** Processor seconds the server spends on something, which hardly depend on what else this machine does. */
export async function costOf(house: House, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuSeconds(house);
  await work();
  return (await cpuSeconds(house)) - before;
}

async function cpuSeconds(house: House): Promise<number> {
  return (await metric(house, 'process_cpu_seconds_total')) ?? 0;
}

/** How long the server has not come round to its other work, at worst, in the last minute or two; as a figure to print. */
export async function longestStall(house: House): Promise<string> {
  const seconds = await metric(house, 'heddle_event_loop_delay_seconds{quantile="1"}');
  return seconds === undefined ? 'not measured' : `${(seconds * 1000).toFixed(0)} ms`;
}

/** A figure of /metrics by its name and labels; undefined where there is none. */
async function metric(house: House, name: string): Promise<number | undefined> {
  const { url, token } = await house.server();
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const line = (await response.text()).split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}
