/**
 * A number as people read it: "12,345.6". Not by the browser's own way, which reads tables
 * of all languages first, and that takes longer than everything else that opens a room.
 */
export function formatNumber(number: number): string {
  const rounded = String(Math.round(number * 1000) / 1000);
  return rounded.replace(/\d+/, (integer) => integer.replace(/\B(?=(?:\d{3}){1,7}$)/g, ','));
}
